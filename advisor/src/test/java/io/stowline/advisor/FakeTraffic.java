package io.stowline.advisor;

import io.stowline.observe.AttemptEvent;
import io.stowline.observe.ClientInfo;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.QueryPageEvent;
import io.stowline.observe.ServiceState;
import io.stowline.retry.RetrySettings;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/** Traffic in virtual time before an advisor, which judges when a test wants a report. */
final class FakeTraffic extends Clock {

    /** The begin of a part of any window that divides an hour. */
    private static final long START = Instant.parse("2026-11-29T00:00:00Z").toEpochMilli();

    final Advisor advisor;
    private final Duration window;
    private long now = START;

    FakeTraffic(Duration window, UnaryOperator<AdvisorSettings.Builder> settings) {
        this.window = window;
        this.advisor = Advisor.of(
                with -> settings.apply(with.window(window).clock(this).executor(judgement -> {})));
    }

    FakeTraffic(Duration window) {
        this(window, with -> with);
    }

    /** Runs events at a steady rate: number for each, for some seconds. */
    void run(double seconds, double perSecond, IntConsumer event) {
        long begin = now;
        long count = Math.round(seconds * perSecond);
        for (int i = 0; i < count; i++) {
            now = begin + (long) (i * 1_000.0 / perSecond);
            event.accept(i);
        }
        now = begin + Math.round(seconds * 1_000);
    }

    void pass(Duration time) {
        now += time.toMillis();
    }

    void until(long millis) {
        now = Math.max(now, millis);
    }

    /** Goes to the begin of the next part of the window. */
    void align() {
        long part = window.toMillis() / 10;
        now = (now + part - 1) / part * part;
    }

    void add(AttemptEvent event) {
        advisor.listener().onAttemptEnd(event);
    }

    void page(
            String queryClass,
            String shape,
            int returned,
            int scanned,
            boolean continued,
            int selected,
            int mapped,
            long bytes) {
        advisor.listener()
                .onQueryPage(new QueryPageEvent(
                        "acct", "runners", queryClass, shape, returned, scanned, continued, selected, mapped, bytes));
    }

    void delivery(ConsumerEvent.Result result) {
        advisor.listener().onConsumerEvent(new ConsumerEvent("acct", "orders", "id", null, result, null, null, null));
    }

    /** Opens a service of a client with the given facts. */
    ServiceState open(String service, ClientInfo info, Duration skew) {
        ServiceState state = (ServiceState) Proxy.newProxyInstance(
                ServiceState.class.getClassLoader(),
                new Class<?>[] {ServiceState.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "account" -> "acct";
                    case "service" -> service;
                    case "client" -> info;
                    case "clockSkew" -> skew;
                    case "permitLimit" -> 16;
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "toString" -> service;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        advisor.listener().onServiceOpened(state);
        return state;
    }

    static ClientInfo info(RetrySettings retry, String version, int connections, boolean noDelay) {
        return new ClientInfo(
                "0.1.0",
                "1.58.1",
                version,
                retry,
                64,
                new ClientInfo.ConnectionInfo(
                        connections, "HTTP/1.1", noDelay, true, false, Duration.ofMinutes(1), Duration.ofHours(1)),
                false,
                false,
                true);
    }

    static ClientInfo info() {
        return info(RetrySettings.defaults(), "2022-11-02", 64, true);
    }

    Finding finding(Practice practice) {
        return advisor.report().of(practice);
    }

    Severity severity(Practice practice) {
        return finding(practice).severity();
    }

    @Override
    public long millis() {
        return now;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(now);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
