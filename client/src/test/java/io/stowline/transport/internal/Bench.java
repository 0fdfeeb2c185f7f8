package io.stowline.transport.internal;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpMethod;
import io.stowline.caching.ResponseCache;
import io.stowline.error.StorageException;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.Gate;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.PartitionedGate;
import io.stowline.retry.RateLimit;
import io.stowline.retry.RetryQuota;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.StorageAccount.Service;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A whole pipeline over a scripted wire, a virtual clock and a random source that always draws the middle. */
public final class Bench {

    /** A key of nobody. */
    public static final String KEY =
            Base64.getEncoder().encodeToString("a key that opens nothing at all".getBytes(StandardCharsets.UTF_8));

    /** When every test begins. */
    public static final Instant START = Instant.parse("2024-02-29T12:00:00Z");

    /** The root of the fake account's tables. */
    public static final String ROOT = "https://acct.table.core.windows.net";

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final FakeWire wire = new FakeWire(timer);
    private final Gate gate;
    private final AccountCache cache = new AccountCache(
            account().credential(), () -> ResponseCache.builder().timer(timer).build(), timer);
    private final StoragePipeline pipeline;

    /** A bench with a free gate. */
    public Bench() {
        this(4, Duration.ZERO);
    }

    /** A bench with this many permits. */
    public Bench(int permits) {
        this(permits, Duration.ZERO);
    }

    /** A bench whose machine's clock is ahead of the true time. */
    public Bench(int permits, Duration ahead) {
        this(permits, ahead, account().credential());
    }

    /** A bench whose requests are opened by another credential. */
    public Bench(AccountCredential credential) {
        this(4, Duration.ZERO, credential);
    }

    /** A bench of one's own making. */
    public Bench(int permits, Duration ahead, AccountCredential credential) {
        this(timer -> limits(permits, timer), ahead, credential, null);
    }

    /** A bench whose calls' ends are told. */
    Bench(CallEnds ends) {
        this(timer -> limits(4, timer), Duration.ZERO, account().credential(), null, ends);
    }

    /** A bench with these limits and this listener. */
    Bench(Function<Scheduler, Limits> limits, @Nullable StowlineListener listener) {
        this(limits, Duration.ZERO, account().credential(), listener);
    }

    /** A bench of another service. */
    Bench(Service service, Function<Scheduler, Limits> limits) {
        this(service, limits, Duration.ZERO, account().credential(), null, null);
    }

    private Bench(
            Function<Scheduler, Limits> made,
            Duration ahead,
            AccountCredential credential,
            @Nullable StowlineListener listener) {
        this(made, ahead, credential, listener, null);
    }

    private Bench(
            Function<Scheduler, Limits> made,
            Duration ahead,
            AccountCredential credential,
            @Nullable StowlineListener listener,
            @Nullable CallEnds ends) {
        this(Service.TABLE, made, ahead, credential, listener, ends);
    }

    private Bench(
            Service service,
            Function<Scheduler, Limits> made,
            Duration ahead,
            AccountCredential credential,
            @Nullable StowlineListener listener,
            @Nullable CallEnds ends) {
        Limits limits = made.apply(timer);
        this.gate = limits.gates().account();
        this.pipeline = new StoragePipeline(
                credential.authorizer(service),
                Wire.telling(wire),
                limits,
                new Times(timer, () -> Long.MIN_VALUE, new Ticking(ahead)),
                new PipelineSettings(
                        service,
                        RetrySettings.defaults(),
                        new Observing(listener, timer, "acct", service.host()),
                        ends == null ? cache::ended : ends));
    }

    /** A bench of a service whose requests keep below these targets, with permits for all. */
    public static Bench below(Service service, ScalabilityTargets targets) {
        return new Bench(service, timer -> {
            RateLimit account = RateLimit.perSecond(targets.accountEntities(), targets.accountEntities(), timer);
            return new Limits(
                    PartitionedGate.of(ParallelismSettings.fixed(1_000), timer),
                    RetryQuota.unlimited(),
                    Breaker.OFF,
                    Rates.of(targets, service, account, timer));
        });
    }

    /** A whole client over the same wire and clock, with the default settings. */
    public AccountConnection connection() {
        return new AccountConnection(
                account(),
                ClientSettings.DEFAULT,
                new Link(Wire.telling(wire), null),
                new Times(timer, () -> Long.MIN_VALUE, new Ticking(Duration.ZERO)));
    }

    /** Nothing but so many permits. */
    static Limits limits(int permits, Scheduler timer) {
        return Limits.of(PartitionedGate.of(ParallelismSettings.fixed(permits), timer));
    }

    /** A client with so many permits. */
    public static ClientSettings settings(int parallelism, RetrySettings retry) {
        return ClientSettings.DEFAULT
                .with(retry)
                .with(ClientSettings.Bounds.DEFAULT.with(ParallelismSettings.fixed(parallelism)));
    }

    /** The account that all benches talk to. */
    public static StorageAccount account() {
        return new StorageAccount(
                "acct",
                new NamedKey(new AzureNamedKeyCredential("acct", KEY)),
                Map.of(Service.TABLE, URI.create(ROOT)));
    }

    /** The same account with copies of its services. */
    public static StorageAccount copied() {
        Map<Service, URI> endpoints = new EnumMap<>(Service.class);
        Map<Service, URI> copies = new EnumMap<>(Service.class);
        for (Service service : Service.values()) {
            endpoints.put(service, URI.create("https://acct." + service.host() + ".core.windows.net"));
            copies.put(service, URI.create("https://acct-secondary." + service.host() + ".core.windows.net"));
        }
        return new StorageAccount("acct", account().credential(), endpoints, copies);
    }

    /** Reads of an account with copies, from its primary so far. */
    public static Reads reads(Service service, StoragePipeline pipeline) {
        return Reads.of(copied(), service, pipeline);
    }

    /** The scripted wire. */
    public FakeWire wire() {
        return wire;
    }

    /** What is kept of what went through it. */
    public AccountCache cache() {
        return cache;
    }

    /** The gate before it. */
    public Gate gate() {
        return gate;
    }

    /** What is tested. */
    public StoragePipeline pipeline() {
        return pipeline;
    }

    VirtualTimeScheduler timer() {
        return timer;
    }

    /** Lets time pass and runs what becomes due. */
    public Bench pass(Duration time) {
        timer.advanceTimeBy(time);
        return this;
    }

    /** The time since the test began. */
    public Duration now() {
        return Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS));
    }

    /** A request that puts an entity. */
    static Request request(Effect effect) {
        Request request = Request.of(
                "insertOrReplace",
                "people(p, r)",
                effect,
                effect == Effect.READ ? HttpMethod.GET : HttpMethod.PUT,
                ROOT + "/people(PartitionKey='p',RowKey='r')");
        return effect == Effect.READ
                ? request
                : request.body("application/json", "{}".getBytes(StandardCharsets.UTF_8));
    }

    static Call<String> call(Effect effect) {
        return call(effect, RetrySettings.defaults());
    }

    static Call<String> call(Effect effect, RetrySettings settings) {
        return Call.of(request(effect), settings, answer -> new Reading.Value<>(answer.text()));
    }

    Outcome<String> start(Effect effect) {
        return start(call(effect));
    }

    <A> Outcome<A> start(Call<A> call) {
        return new Outcome<>(pipeline.send(call));
    }

    /** Subscribes to what is tested. */
    public <A> Outcome<A> start(Mono<A> mono) {
        return new Outcome<>(mono);
    }

    /** The table service's form of an error. */
    public static String jsonError(String code, String message) {
        return "{\"odata.error\":{\"code\":\"" + code + "\",\"message\":{\"lang\":\"en-US\",\"value\":\"" + message
                + "\\nRequestId:6ca9\\nTime:2024-02-29T12:00:00.0000000Z\"}}}";
    }

    /** What came of an operation. */
    public static final class Outcome<A> {

        private final Disposable subscription;
        private @Nullable A value;
        private @Nullable Throwable error;
        private boolean ended;

        private Outcome(Mono<A> mono) {
            subscription = mono.subscribe(
                    value -> this.value = value,
                    error -> {
                        this.error = error;
                        ended = true;
                    },
                    () -> ended = true);
        }

        /** Whether it has ended. */
        public boolean ended() {
            return ended;
        }

        /** Its value. */
        public A value() {
            if (error != null) {
                throw new AssertionError("the operation failed", error);
            }
            return value;
        }

        /** Its failure. */
        public Throwable error() {
            if (error == null) {
                throw new AssertionError(ended ? "the operation succeeded with " + value : "the operation runs still");
            }
            return error;
        }

        /** Its failure, which must be one of storage. */
        public StorageException storageError() {
            if (error() instanceof StorageException failed) {
                return failed;
            }
            throw new AssertionError("not a storage exception", error);
        }

        /** Cancels it. */
        public void cancel() {
            subscription.dispose();
        }
    }

    /** The virtual time as a clock that may go wrong. */
    private final class Ticking extends Clock {

        private final Duration ahead;

        Ticking(Duration ahead) {
            this.ahead = ahead;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return START.plus(ahead).plusNanos(timer.now(TimeUnit.NANOSECONDS));
        }
    }
}
