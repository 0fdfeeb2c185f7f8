package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.table.internal.request.QueryClass;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;

class MicrometerMetersTest {

    private static final OperationInfo INSERT = new OperationInfo("acct", "table", "insert", "people(secret, row)");

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final MicrometerListener listener = MicrometerListener.of(ObservationRegistry.NOOP, meters);
    private final FakeServiceState state = new FakeServiceState("acct", 10);

    private record Result(String etag, WriteOutcome outcome, Evidence evidence, boolean mayHaveRepeated)
            implements WriteResult {}

    private double gauge(StowlineMeters meter, String... tags) {
        return meters.get(meter.getName())
                .tags("account", "acct", "service", "table")
                .tags(tags)
                .gauge()
                .value();
    }

    private double count(StowlineMeters meter, String... tags) {
        return meters.get(meter.getName())
                .tags("account", "acct", "service", "table")
                .tags(tags)
                .counter()
                .count();
    }

    private OperationListener start() {
        return listener.onOperationStart(INSERT, Context.empty());
    }

    private static RequestEnd request(StopReason stop, Verdict... verdicts) {
        return new RequestEnd(
                "insert",
                "people(a, b)",
                "id",
                null,
                IntStream.range(0, verdicts.length)
                        .mapToObj(i -> verdicts[i].entry(i + 1, Duration.ZERO, Duration.ZERO))
                        .toList(),
                Duration.ZERO,
                stop,
                false);
    }

    private static OperationEnd end(OperationEnd.Kind kind, Result written) {
        return new OperationEnd(kind, Duration.ofSeconds(1), written, null);
    }

    @Test
    void gaugesReadTheState() {
        listener.onServiceOpened(state);
        state.figure = 20;

        assertThat(gauge(StowlineMeters.PERMITS_LIMIT)).isEqualTo(20);
        assertThat(gauge(StowlineMeters.PERMITS_USED)).isEqualTo(21);
        assertThat(gauge(StowlineMeters.PERMITS_WAITING)).isEqualTo(22);
        assertThat(gauge(StowlineMeters.PARTITIONS_LIMITED)).isEqualTo(23);
        assertThat(gauge(StowlineMeters.WRITERS_ITEMS)).isEqualTo(24);
        assertThat(gauge(StowlineMeters.WRITERS_BYTES)).isEqualTo(25);
        assertThat(gauge(StowlineMeters.WRITERS_PAUSED)).isEqualTo(2);
        assertThat(gauge(StowlineMeters.QUOTA_AVAILABLE)).isEqualTo(20.5);
        assertThat(gauge(StowlineMeters.QUOTA_CAPACITY)).isEqualTo(24);
    }

    @Test
    void countsAttemptsByTheKindOfTheirEnd() {
        listener.onServiceOpened(state);
        start().onRequestEnd(request(
                StopReason.QUOTA_EMPTY,
                Verdict.retry("503 ServerBusy").asThrottling(ThrottleScope.PARTITION),
                Verdict.retry("503 ServerBusy").asThrottling(ThrottleScope.ACCOUNT),
                Verdict.retry("IOException").asAmbiguous(),
                Verdict.retry("500 InternalError").asAmbiguous()));
        start().onRequestEnd(request(StopReason.SUCCEEDED, Verdict.success()));

        assertThat(count(StowlineMeters.ATTEMPTS, "reason", "throttled-partition"))
                .isEqualTo(1);
        assertThat(count(StowlineMeters.ATTEMPTS, "reason", "throttled-account"))
                .isEqualTo(1);
        assertThat(count(StowlineMeters.ATTEMPTS, "reason", "connection")).isEqualTo(1);
        assertThat(count(StowlineMeters.ATTEMPTS, "reason", "server-error")).isEqualTo(1);
        assertThat(count(StowlineMeters.ATTEMPTS, "reason", "success")).isEqualTo(1);
        assertThat(count(StowlineMeters.UNANSWERED)).isEqualTo(2);
        assertThat(count(StowlineMeters.RETRIES)).isEqualTo(3);
        assertThat(count(StowlineMeters.QUOTA_REFUSALS)).isEqualTo(1);
    }

    @Test
    void countsWhatBecameOfWrites() {
        listener.onServiceOpened(state);
        start().onOperationEnd(end(
                OperationEnd.Kind.SUCCEEDED, new Result("", WriteOutcome.CONFIRMED, Evidence.RESPONSE, true)));
        start().onOperationEnd(end(
                OperationEnd.Kind.SUCCEEDED, new Result("", WriteOutcome.RECOVERED, Evidence.MARKER, false)));
        start().onOperationEnd(
                        end(OperationEnd.Kind.SUCCEEDED, new Result("", WriteOutcome.ABSENT, Evidence.CONTENT, true)));
        start().onOperationEnd(end(OperationEnd.Kind.SUCCEEDED, null));
        start().onOperationEnd(end(OperationEnd.Kind.UNKNOWN, null));
        start().onOperationEnd(end(OperationEnd.Kind.FAILED, null));

        assertThat(count(StowlineMeters.WRITES, "outcome", "confirmed", "evidence", "response"))
                .isEqualTo(1);
        assertThat(count(StowlineMeters.WRITES, "outcome", "recovered", "evidence", "marker"))
                .isEqualTo(1);
        assertThat(count(StowlineMeters.WRITES, "outcome", "absent", "evidence", "content"))
                .isEqualTo(1);
        assertThat(count(StowlineMeters.WRITES, "outcome", "unknown", "evidence", "none"))
                .isEqualTo(1);
        assertThat(count(StowlineMeters.REPEATED)).isEqualTo(2);
    }

    @Test
    void breakersAreCountedByStateIfThereAreAny() {
        listener.onServiceOpened(state);
        assertThat(meters.find(StowlineMeters.BREAKERS.getName()).meters()).isEmpty();
        FakeServiceState guarded = new FakeServiceState("acct", 1);
        guarded.breaker = "closed";
        listener.onServiceOpened(guarded);
        guarded.breaker = "half_open";

        assertThat(gauge(StowlineMeters.BREAKERS, "state", "half_open")).isEqualTo(1);
        assertThat(gauge(StowlineMeters.BREAKERS, "state", "closed")).isZero();
    }

    @Test
    void metersLeaveWithTheirClient() {
        meters.counter("of.somebody.else");
        listener.onServiceOpened(state);
        assertThat(meters.getMeters()).hasSizeGreaterThan(10);
        listener.onServiceClosed(state);

        assertThat(meters.getMeters())
                .extracting(meter -> meter.getId().getName())
                .containsExactly("of.somebody.else");
    }

    @Test
    void clientsOfOneAccountShareTheirMetersWhateverTheirListener() {
        MicrometerListener second = MicrometerListener.of(ObservationRegistry.NOOP, meters);
        FakeServiceState other = new FakeServiceState("acct", 5);
        listener.onServiceOpened(state);
        second.onServiceOpened(other);
        assertThat(gauge(StowlineMeters.PERMITS_LIMIT)).isEqualTo(15);
        start().onRequestEnd(request(StopReason.SUCCEEDED, Verdict.success()));
        listener.onServiceClosed(state);
        listener.onServiceClosed(state);

        assertThat(gauge(StowlineMeters.PERMITS_LIMIT)).isEqualTo(5);
        second.onOperationStart(INSERT, Context.empty()).onRequestEnd(request(StopReason.SUCCEEDED, Verdict.success()));
        assertThat(count(StowlineMeters.ATTEMPTS, "reason", "success")).isEqualTo(2);
        second.onServiceClosed(other);
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void registriesAndAccountsAreApart() {
        MeterRegistry elsewhere = new CompositeMeterRegistry();
        MicrometerListener second = MicrometerListener.of(ObservationRegistry.NOOP, elsewhere);
        FakeServiceState other = new FakeServiceState("other", 5);
        listener.onServiceOpened(state);
        listener.onServiceOpened(other);
        second.onServiceOpened(state);
        listener.onServiceClosed(state);

        assertThat(tags(meters.getMeters(), "account")).containsExactly("other");
        assertThat(tags(elsewhere.getMeters(), "account")).containsExactly("acct");
        listener.onServiceClosed(other);
        second.onServiceClosed(state);
        assertThat(elsewhere.getMeters()).isEmpty();
    }

    private static Collection<String> tags(Collection<Meter> all, String key) {
        return all.stream().map(meter -> meter.getId().getTag(key)).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void operationsOfNobodysClientAreNoError() {
        OperationListener reported = start();
        reported.onRequestEnd(request(StopReason.SUCCEEDED, Verdict.success()));
        reported.onOperationEnd(end(OperationEnd.Kind.SUCCEEDED, null));

        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void everyMeterIsDocumentedAndEveryDocumentedOneIsThere() {
        state.breaker = "open";
        listener.onServiceOpened(state);
        listener.onServiceOpened(new FakeServiceState("acct", "queue", 1));
        Map<String, String> documented = Stream.of(StowlineMeters.values())
                .collect(Collectors.toMap(
                        StowlineMeters::getName,
                        meter -> meter.getType() + " " + meter.getBaseUnit() + " " + meter.description() + " "
                                + Arrays.stream(meter.getKeyNames())
                                        .map(key -> key.asString())
                                        .sorted()
                                        .toList()));
        Map<String, String> there = new TreeMap<>();
        for (Meter meter : meters.getMeters()) {
            Meter.Id id = meter.getId();
            there.put(
                    id.getName(),
                    id.getType() + " " + id.getBaseUnit() + " " + id.getDescription() + " "
                            + id.getTags().stream().map(Tag::getKey).sorted().toList());
        }

        assertThat(there).containsExactlyInAnyOrderEntriesOf(documented);
    }

    @Test
    @DisplayName("T8: the density of queries is counted by their class, of tables only")
    void countsDensity() {
        listener.onServiceOpened(new FakeServiceState("acct", "queue", 1));
        listener.onQueryPage(new QueryPageEvent("acct", "runners", "partition", "", 5, 1_000, false, 0, 0, 0));
        assertThat(meters.find(StowlineMeters.QUERY_SCANNED.getName()).meters()).isEmpty();
        listener.onServiceOpened(state);
        listener.onQueryPage(new QueryPageEvent("acct", "runners", "partition", "", 5, 1_000, false, 0, 0, 0));
        listener.onQueryPage(new QueryPageEvent("acct", "teams", "partition", "", 3, 3, false, 0, 0, 0));
        listener.onQueryPage(new QueryPageEvent("acct", "teams", "other", "", 3, 3, false, 0, 0, 0));

        assertThat(entities("returned", "partition")).isEqualTo(8);
        assertThat(entities("scanned", "partition")).isEqualTo(1_003);
        for (QueryClass each : QueryClass.values()) {
            assertThat(entities("scanned", each.label())).isGreaterThanOrEqualTo(0);
        }
    }

    private double entities(String which, String queryClass) {
        return meters.get("stowline.query." + which)
                .tag("query.class", queryClass)
                .counter()
                .count();
    }

    @Test
    void countsDeliveriesAndShowsConsumers() {
        listener.onServiceOpened(state);
        listener.onConsumerEvent(delivery(ConsumerEvent.Result.COMPLETED));
        assertThat(meters.find(StowlineMeters.DELIVERIES.getName()).meters()).isEmpty();
        listener.onServiceOpened(new FakeServiceState("acct", "queue", 1));
        listener.onServiceOpened(new FakeServiceState("acct", "queue", 3));
        listener.onConsumerEvent(delivery(ConsumerEvent.Result.COMPLETED));
        listener.onConsumerEvent(delivery(ConsumerEvent.Result.COMPLETED));
        listener.onConsumerEvent(delivery(ConsumerEvent.Result.POISON_FAILED));

        assertThat(meters.get("stowline.deliveries")
                        .tag("result", "completed")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(meters.get("stowline.deliveries")
                        .tag("result", "poison_failed")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("stowline.consumers.handlers").gauge().value()).isEqualTo(1 + 6 + 3 + 6);
        assertThat(meters.get("stowline.consumers.messages").gauge().value()).isEqualTo(1 + 7 + 3 + 7);
        assertThat(meters.get("stowline.consumers.backlog").gauge().value()).isEqualTo(1 + 8 + 3 + 8);
        assertThat(meters.get("stowline.consumers.poll.age").gauge().value()).isEqualTo(4.5);
        assertThat(meters.get("stowline.consumers.message.age").gauge().value()).isEqualTo(3);
        assertThat(meters.get("stowline.outbox.relays").gauge().value()).isEqualTo(1 + 9 + 3 + 9);
        assertThat(meters.get("stowline.outbox.hints").gauge().value()).isEqualTo(1 + 10 + 3 + 10);
        assertThat(meters.get("stowline.outbox.hint.age").gauge().value()).isEqualTo(6);
        assertThat(meters.get("stowline.outbox.poisoned").gauge().value()).isEqualTo(1 + 11 + 3 + 11);
    }

    private static ConsumerEvent delivery(ConsumerEvent.Result result) {
        return new ConsumerEvent("acct", "orders", "secret", "secret", result, null, null, null);
    }

    @Test
    void noTagOfAMeterHasAKeyOrNameInIt() {
        listener.onServiceOpened(state);
        OperationListener reported = start();
        reported.onRequestEnd(request(StopReason.NOT_RETRYABLE, Verdict.never("400 secret")));
        reported.onOperationEnd(end(OperationEnd.Kind.FAILED, null));

        assertThat(meters.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().toString()).doesNotContain("secret", "people"));
    }
}
