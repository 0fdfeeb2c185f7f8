package io.stowline.transport.internal.pipeline;

import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.limits.ServiceRateLimiter;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.ServiceVersion;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The requests of one client to one service of one account, by one {@link RequestExecutor}. Those of this library go through {@link #send}.
 * Thread-safe.
 */
public final class StoragePipeline {

    private final RequestExecutor executor;
    private final AuthorizedClient client;
    private final Gate gate;
    private final PipelineSettings settings;
    private final ServerClock serverClock;
    private final TimeSources times;
    private final @Nullable ServiceRateLimiter rates;

    public StoragePipeline(
            Authorizer authorizer, HttpWire wire, ServiceLimits limits, TimeSources times, PipelineSettings settings) {
        this.gate = limits.gates().account();
        this.rates = limits.rates();
        this.settings = settings;
        this.times = times;
        this.serverClock = new ServerClock(times.clock());
        this.client = new AuthorizedClient(authorizer, serverClock, wire, settings.version());
        this.executor =
                new RequestExecutor(times, limits, serverClock, wire.trackers(), settings.observer(), settings.ends());
    }

    /**
     * Sends an operation.
     *
     * @return the meaning of its response, on an I/O or timer thread; or a {@link io.stowline.error.StorageException}
     */
    public <A> Mono<A> send(Exchange<A> exchange) {
        return executor.send(exchange, client::send);
    }

    /**
     * Authorizes a request that does not travel by itself: a part of another one, or the source of a copy.
     *
     * @param part the request, changed in place
     * @return the request, with its proof
     */
    public Mono<DirectRequest> authorized(DirectRequest part) {
        return client.authorized(part);
    }

    /** Returns whether the proof of a request holds for it alone, so that {@link #authorized} opens no source of a copy. */
    public boolean signsEachRequest() {
        return client.signsEachRequest();
    }

    /**
     * Counts the entities and messages of a response towards the scalability targets; the next requests wait for them.
     *
     * @param load its cost beyond the one that was charged before; what is below zero is refunded
     */
    public void chargeResponse(RequestCost load) {
        if (rates != null) {
            rates.pay(load);
        }
    }

    /** Returns the unresolved attempts of an operation that has ended. */
    public UnresolvedAttempts unresolved(Exchange<?> exchange) {
        return exchange.unresolved(timer()).tolerating(settings.clockTolerance());
    }

    /** Returns the clock and alarm of all waits. */
    public Scheduler timer() {
        return times.timer();
    }

    /** Returns the source of the jitter of waits. */
    public RandomGenerator random() {
        return times.random();
    }

    /** Returns the executor of its requests. */
    public RequestExecutor executor() {
        return executor;
    }

    /** Returns the HTTP client that authorizes. */
    public AuthorizedClient client() {
        return client;
    }

    /** Returns the settings, which also have the rules for the requests of SDK clients. */
    public PipelineSettings settings() {
        return settings;
    }

    /** Returns the observer of operations. */
    public OperationObserver observer() {
        return settings.observer();
    }

    /** Returns the version that all requests name. */
    public ServiceVersion version() {
        return settings.version();
    }

    /** Returns the gate that bounds the attempts in flight. */
    public Gate gate() {
        return gate;
    }

    /** Returns this machine's clock. */
    public Clock clock() {
        return times.clock();
    }

    /** Returns the service's time, as far as it is known. */
    public Instant serverTime() {
        return serverClock.now();
    }

    /** Returns how far the service's clock is ahead of this machine's, where a listener makes it be compared; else zero. */
    public Duration clockSkew() {
        return serverClock.skew();
    }

    /** Returns a pause between requests, which closing ends with an error: the timer stops then. */
    public Mono<Long> pause(Duration time) {
        return executor.inFlight().unlessClosed(FatalErrors.handingOver(Mono.delay(time, timer())));
    }

    /** Refuses new operations from now on. */
    public Mono<Void> drained() {
        return executor.inFlight().close();
    }

    /** Ends what is still in flight with an error. Returns how many operations that were. */
    public long abandon() {
        long operations = executor.inFlight().size();
        executor.inFlight().abandon();
        return operations;
    }

    /**
     * The settings of a pipeline for all of its requests.
     *
     * @param service the service behind it
     * @param foreign the retry settings of requests of the application's SDK clients
     * @param ends receives the end of each call, success or failure, before the caller
     * @param clockTolerance how far the clocks of the service's machines may differ
     * @param version the version that all requests name
     */
    public record PipelineSettings(
            Service service,
            RetrySettings foreign,
            OperationObserver observer,
            Consumer<Exchange<?>> ends,
            Duration clockTolerance,
            ServiceVersion version) {}

    /**
     * The clocks and the random source of a pipeline, which tests replace.
     *
     * @param timer the clock and alarm of all waits
     * @param random draws the jitter
     * @param clock the time of day
     */
    public record TimeSources(Scheduler timer, RandomGenerator random, Clock clock) {}
}
