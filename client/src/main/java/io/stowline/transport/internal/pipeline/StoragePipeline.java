package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpRequest;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.limits.ServiceRateLimiter;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.ServiceVersion;
import java.time.Clock;
import java.time.Duration;
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
    private final OperationObserver observer;
    private final Clock clock;
    private final Scheduler timer;
    private final RandomGenerator random;
    private final InFlightRegistry inFlight;
    private final @Nullable ServiceRateLimiter rates;

    public StoragePipeline(
            Authorizer authorizer, HttpWire wire, ServiceLimits limits, TimeSources times, PipelineSettings settings) {
        this.gate = limits.gates().account();
        this.rates = limits.rates();
        this.observer = settings.observer();
        this.inFlight = observer.inFlight();
        this.clock = times.clock();
        this.settings = settings;
        this.timer = times.timer();
        this.random = times.random();
        ServerClock serverClock = new ServerClock(clock);
        this.client = new AuthorizedClient(authorizer, serverClock, wire, settings.version());
        this.executor = new RequestExecutor(times, limits, serverClock, wire.trackers(), observer, settings.ends());
    }

    /**
     * Sends an operation.
     *
     * @return the meaning of its answer, on an I/O or timer thread; or a {@link io.stowline.error.StorageException}
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
    public Mono<HttpRequest> authorized(HttpRequest part) {
        return client.authorized(part);
    }

    /**
     * Counts what an answer has brought towards the scalability targets; the requests that come next wait for it.
     *
     * @param load what it has brought, beyond the cost that was known before
     */
    public void chargeResponse(RequestCost load) {
        if (rates != null) {
            rates.pay(load);
        }
    }

    /** What is not known of an operation that has ended. */
    public UnresolvedAttempts unresolved(Exchange<?> exchange) {
        return exchange.unresolved(timer).tolerating(settings.clockTolerance());
    }

    /** The clock and alarm of all waits. */
    public Scheduler timer() {
        return timer;
    }

    /** What draws the jitter of waits. */
    public RandomGenerator random() {
        return random;
    }

    /** The way of its requests. */
    public RequestExecutor executor() {
        return executor;
    }

    /** The HTTP client that authorizes. */
    public AuthorizedClient client() {
        return client;
    }

    /** The rules for the requests of SDK clients, among others. */
    public PipelineSettings settings() {
        return settings;
    }

    /** The observer of operations. */
    public OperationObserver observer() {
        return observer;
    }

    /** The version that all requests name. */
    public ServiceVersion version() {
        return settings.version();
    }

    /** What bounds the attempts in flight. */
    public Gate gate() {
        return gate;
    }

    /** This machine's clock. */
    public Clock clock() {
        return clock;
    }

    /** Refuses new operations from now on. */
    public Mono<Void> drained() {
        return inFlight.close();
    }

    /** Ends what is still in flight with an error. Returns how many operations that were. */
    public long abandon() {
        long operations = inFlight.size();
        inFlight.abandon();
        return operations;
    }

    /**
     * How a pipeline deals with the calls that go through it.
     *
     * @param service the service behind it
     * @param foreign how requests are tried that an SDK client of the application makes
     * @param ends hears the end of each call
     * @param clockTolerance how far the clocks of the service's machines may differ
     * @param version the version that all requests name
     */
    public record PipelineSettings(
            Service service,
            RetrySettings foreign,
            OperationObserver observer,
            RequestCompletionListener ends,
            Duration clockTolerance,
            ServiceVersion version) {

        /** With the default tolerance and version. */
        public PipelineSettings(
                Service service, RetrySettings foreign, OperationObserver observer, RequestCompletionListener ends) {
            this(service, foreign, observer, ends, UnresolvedAttempts.TOLERANCE, ServiceVersion.DEFAULT);
        }

        /** The defaults, without an observer or a listener. */
        public static PipelineSettings unheard(Service service) {
            return new PipelineSettings(
                    service, RetrySettings.defaults(), OperationObserver.none(), RequestCompletionListener.UNHEARD);
        }

        /** Hears the end of each call, success or failure, before the caller. */
        @FunctionalInterface
        public interface RequestCompletionListener {

            /** Hears nothing. */
            RequestCompletionListener UNHEARD = exchange -> {};

            void ended(Exchange<?> exchange);
        }
    }

    /**
     * What a pipeline takes from outside of it, so that tests can give their own.
     *
     * @param timer the clock and alarm of all waits
     * @param random draws the jitter
     * @param clock the time of day
     */
    public record TimeSources(Scheduler timer, RandomGenerator random, Clock clock) {}
}
