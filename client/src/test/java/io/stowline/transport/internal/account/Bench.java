package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpMethod;
import io.stowline.access.internal.SasSigner;
import io.stowline.caching.ResponseCache;
import io.stowline.caching.internal.engine.CacheEngine;
import io.stowline.error.StorageException;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.retry.internal.rate.RateLimit;
import io.stowline.retry.internal.rate.RefillClock;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.client.ClientCache;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.limits.ServiceRateLimiter;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.ReadPreference;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.StoragePipeline.PipelineSettings;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.pipeline.ViewSettings;
import io.stowline.transport.internal.request.BatchOptions;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import io.stowline.transport.internal.request.ServiceVersion;
import io.stowline.transport.internal.sdk.SdkCalls;
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
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A whole pipeline over a scripted wire, a virtual clock and a random source that always draws the middle. */
public final class Bench {

    /** A key of no account. */
    public static final String KEY =
            Base64.getEncoder().encodeToString("a key that opens nothing at all".getBytes(StandardCharsets.UTF_8));

    /** The beginning of every test. */
    public static final Instant START = Instant.parse("2024-02-29T12:00:00Z");

    /** The root of the fake account's tables. */
    public static final String ROOT = "https://acct.table.core.windows.net";

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final FakeWire wire = new FakeWire(timer);
    private final Gate gate;
    private final ClientCache cache = new ClientCache(
            account().credential(),
            () -> CacheEngine.of(ResponseCache.builder().timer(timer).build()),
            timer);
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

    /** A bench whose calls' ends are reported. */
    public Bench(Consumer<Exchange<?>> ends) {
        this(timer -> limits(4, timer), Duration.ZERO, account().credential(), null, ends);
    }

    /** A bench with these limits and this listener. */
    public Bench(Function<Scheduler, ServiceLimits> limits, @Nullable StowlineListener listener) {
        this(limits, Duration.ZERO, account().credential(), listener);
    }

    /** A bench of another service. */
    public Bench(Service service, Function<Scheduler, ServiceLimits> limits) {
        this(service, limits, Duration.ZERO, account().credential(), null, null);
    }

    /** A bench of another service with this listener. */
    public Bench(Service service, Function<Scheduler, ServiceLimits> limits, StowlineListener listener) {
        this(service, limits, Duration.ZERO, account().credential(), listener, null);
    }

    private Bench(
            Function<Scheduler, ServiceLimits> made,
            Duration ahead,
            AccountCredential credential,
            @Nullable StowlineListener listener) {
        this(made, ahead, credential, listener, null);
    }

    private Bench(
            Function<Scheduler, ServiceLimits> made,
            Duration ahead,
            AccountCredential credential,
            @Nullable StowlineListener listener,
            @Nullable Consumer<Exchange<?>> ends) {
        this(Service.TABLE, made, ahead, credential, listener, ends);
    }

    private Bench(
            Service service,
            Function<Scheduler, ServiceLimits> made,
            Duration ahead,
            AccountCredential credential,
            @Nullable StowlineListener listener,
            @Nullable Consumer<Exchange<?>> ends) {
        ServiceLimits limits = made.apply(timer);
        this.gate = limits.gates().account();
        this.pipeline = new StoragePipeline(
                credential.authorizer(service),
                HttpWire.telling(wire),
                limits,
                new TimeSources(timer, () -> Long.MIN_VALUE, new Ticking(ahead)),
                settings(
                        service,
                        RetrySettings.defaults(),
                        new OperationObserver(listener, timer, "acct", service.host(), null, new InFlightRegistry()),
                        ends == null ? cache::ended : ends));
    }

    /** A bench of a service whose requests keep below these targets, with permits for all. */
    public static Bench below(Service service, ScalabilityTargets targets) {
        return new Bench(service, timer -> {
            RefillClock clock = RefillClock.ramping(timer, targets.rampOver());
            RateLimit account = RateLimit.perSecond(targets.accountEntities(), targets.accountEntities(), clock);
            return new ServiceLimits(
                    PartitionedGate.of(ParallelismSettings.fixed(1_000), timer),
                    RetryQuota.unlimited(),
                    CircuitBreakerGuard.OFF,
                    ServiceRateLimiter.of(targets, service, account, clock));
        });
    }

    /** A whole client over the same wire and clock, with the default settings. */
    public ClientRuntime connection() {
        return connection(ClientSettings.DEFAULT);
    }

    /** A whole client over the same wire and clock. */
    public ClientRuntime connection(ClientSettings settings) {
        return new ClientRuntime(
                account(),
                settings,
                HttpWire.telling(wire),
                new TimeSources(timer, () -> Long.MIN_VALUE, new Ticking(Duration.ZERO)),
                Runnable::run);
    }

    /** Returns limits with so many permits only. */
    public static ServiceLimits limits(int permits, Scheduler timer) {
        return ServiceLimits.of(PartitionedGate.of(ParallelismSettings.fixed(permits), timer));
    }

    /** A client with so many permits. */
    public static ClientSettings settings(int parallelism, RetrySettings retry) {
        return ClientSettings.DEFAULT
                .with(retry)
                .with(ClientSettings.ClientBounds.DEFAULT.with(ParallelismSettings.fixed(parallelism)));
    }

    /** The account that all benches talk to. */
    public static StorageAccount account() {
        return new StorageAccount(
                "acct",
                new SharedKeyCredential(new AzureNamedKeyCredential("acct", KEY)),
                Map.of(Service.TABLE, URI.create(ROOT)));
    }

    /** Returns the account with copies of its services. */
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
    public static ReadPreference reads(Service service, StoragePipeline pipeline) {
        return ReadPreference.of(copied(), service, pipeline);
    }

    /** The calls of a view with the default settings. */
    public static SdkCalls calls(Service service, StoragePipeline pipeline) {
        return SdkCalls.of(pipeline, ViewSettings.of(RetrySettings.defaults(), reads(service, pipeline)));
    }

    /** A signer of access with the account's key. */
    public static SasSigner signer(Service service) {
        return new SasSigner(account(), service, new Bench().pipeline(), RetrySettings.defaults());
    }

    /** The scripted wire. */
    public FakeWire wire() {
        return wire;
    }

    /** Returns the cache of reads that went through it. */
    public ClientCache cache() {
        return cache;
    }

    /** The gate before it. */
    public Gate gate() {
        return gate;
    }

    /** Returns the pipeline under test. */
    public StoragePipeline pipeline() {
        return pipeline;
    }

    public VirtualTimeScheduler timer() {
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
    /** Options of a batch without a deadline and a control. */
    public static final BatchOptions BATCH = new BatchOptions(null, Duration.ofMinutes(2), false, null);

    /** Returns the settings of a pipeline with the defaults, without a listener. */
    public static PipelineSettings unheard(Service service) {
        return settings(service, RetrySettings.defaults(), OperationObserver.none(), exchange -> {});
    }

    public static PipelineSettings settings(
            Service service, RetrySettings foreign, OperationObserver observer, Consumer<Exchange<?>> ends) {
        return new PipelineSettings(
                service, foreign, observer, ends, UnresolvedAttempts.TOLERANCE, ServiceVersion.DEFAULT);
    }

    public static Request request(OperationType effect) {
        Request request = Request.of(
                "insertOrReplace",
                "people(p, r)",
                effect,
                effect == OperationType.READ ? HttpMethod.GET : HttpMethod.PUT,
                ROOT + "/people(PartitionKey='p',RowKey='r')");
        return effect == OperationType.READ
                ? request
                : request.body("application/json", "{}".getBytes(StandardCharsets.UTF_8));
    }

    public static Exchange<String> call(OperationType effect) {
        return call(effect, RetrySettings.defaults());
    }

    public static Exchange<String> call(OperationType effect, RetrySettings settings) {
        return Exchange.of(request(effect), settings, response -> new ParseResult.Value<>(response.text()));
    }

    public Outcome<String> start(OperationType effect) {
        return start(call(effect));
    }

    public <A> Outcome<A> start(Exchange<A> exchange) {
        return new Outcome<>(pipeline.send(exchange));
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

    /** The outcome of an operation. */
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

        /** Returns whether it has ended. */
        public boolean ended() {
            return ended;
        }

        /** Returns its value. */
        public A value() {
            if (error != null) {
                throw new AssertionError("the operation failed", error);
            }
            return value;
        }

        /** Returns its failure. */
        public Throwable error() {
            if (error == null) {
                throw new AssertionError(ended ? "the operation succeeded with " + value : "the operation runs still");
            }
            return error;
        }

        /** Returns its failure, which must be one of storage. */
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
