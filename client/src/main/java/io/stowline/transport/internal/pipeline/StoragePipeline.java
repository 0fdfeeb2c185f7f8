package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.Context;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.EagerHttpClient;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.limits.ServiceRateLimiter;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.ServiceVersion;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The one way of requests to one service of one account: retry, permit, time limit, authorization, HTTP client, outermost first.
 * Requests of this library go through {@link #send}, those of SDK clients through {@link #http}. Thread-safe.
 */
public final class StoragePipeline {

    private static final Context EAGER = new Context(EagerHttpClient.EAGER, true);

    private final HttpPipeline pipeline;
    private final Authorizer authorizer;
    private final ServerClock serverClock;
    private final Gate gate;
    private final OperationObserver observer;
    private final Clock clock;
    private final Duration clockTolerance;
    private final ServiceVersion version;
    private final Scheduler timer;
    private final RandomGenerator random;
    private final InFlightRegistry inFlight;
    private final @Nullable ServiceRateLimiter rates;

    public StoragePipeline(
            Authorizer authorizer, HttpWire wire, ServiceLimits limits, TimeSources times, PipelineSettings settings) {
        this.authorizer = authorizer;
        this.serverClock = new ServerClock(times.clock());
        this.gate = limits.gates().account();
        this.rates = limits.rates();
        this.observer = settings.observer();
        this.inFlight = observer.inFlight();
        this.clock = times.clock();
        this.clockTolerance = settings.clockTolerance();
        this.version = settings.version();
        this.timer = times.timer();
        this.random = times.random();
        AttemptRunner attempts = new AttemptRunner(times, limits, serverClock, wire.trackers(), inFlight::abandoned);
        this.pipeline = new HttpPipelineBuilder()
                .httpClient(wire.client())
                .policies(
                        new OperationPolicy(
                                attempts,
                                new SdkRequests(
                                        attempts,
                                        new ResponseBodies(inFlight, times.timer()),
                                        settings.clockTolerance()),
                                inFlight,
                                settings),
                        wire.userAgent(),
                        new AuthorizingPolicy(authorizer, serverClock))
                .build();
    }

    /**
     * Sends an operation.
     *
     * @return the meaning of its answer, on an I/O or timer thread; or a {@link io.stowline.error.StorageException}
     */
    public <A> Mono<A> send(Exchange<A> exchange) {
        return Mono.defer(() -> pipeline.send(request(exchange), EAGER.addData(Exchange.KEY, exchange)))
                .map(response -> exchange.value());
    }

    /**
     * Authorizes a request that does not travel by itself: a part of another one, or the source of a copy.
     *
     * @param part the request, changed in place
     * @return the request, with its proof
     */
    public Mono<HttpRequest> authorized(HttpRequest part) {
        return Mono.defer(() -> authorizer.authorize(part, serverClock.now())).thenReturn(part);
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
        return exchange.unresolved(timer).tolerating(clockTolerance);
    }

    /** The clock and alarm of all waits. */
    public Scheduler timer() {
        return timer;
    }

    /** What draws the jitter of waits. */
    public RandomGenerator random() {
        return random;
    }

    /** The same way for requests that clients of the Azure SDK make. */
    public HttpPipeline http() {
        return pipeline;
    }

    /** The observer of operations. */
    public OperationObserver observer() {
        return observer;
    }

    /** The version that all requests name. */
    public ServiceVersion version() {
        return version;
    }

    private HttpRequest request(Exchange<?> exchange) {
        Request request = exchange.request();
        HttpHeaders headers = request.headers();
        if (headers.getValue(StorageResponse.CLIENT_REQUEST_ID) != null) {
            // Sent before, and perhaps still in flight.
            headers = new HttpHeaders(headers);
        }
        headers.set(StorageResponse.CLIENT_REQUEST_ID, exchange.clientRequestId());
        headers.set(ServiceVersion.HEADER, version.date());
        RequestBody body = request.body();
        if (body != null) {
            headers.set(HttpHeaderName.CONTENT_LENGTH, Integer.toString(body.length()));
        }
        return new DirectRequest(
                request.method(),
                request.url(),
                headers,
                body,
                exchange.options().standstill());
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
