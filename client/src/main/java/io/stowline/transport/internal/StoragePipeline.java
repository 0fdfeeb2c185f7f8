package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.Context;
import io.stowline.retry.Gate;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The one way of requests to one service of one account: retry, permit, time limit, authorization, HTTP client, outermost first.
 * Requests of ours go through {@link #send}, those of SDK clients through {@link #sdk}. Thread-safe.
 */
public final class StoragePipeline {

    private static final HttpHeaderName CLIENT_REQUEST_ID = HttpHeaderName.fromString("x-ms-client-request-id");
    private static final HttpHeaderName VERSION = HttpHeaderName.fromString("x-ms-version");
    private static final String SERVICE_VERSION = "2020-12-06";

    private final HttpPipeline pipeline;
    private final Gate gate;
    private final Observing observing;
    private final Clock clock;
    private final Duration clockTolerance;
    private final Scheduler timer;
    private final RandomGenerator random;
    private final InFlight inFlight;
    private final @Nullable Rates rates;

    StoragePipeline(Authorizer authorizer, Wire wire, Limits limits, Times times, PipelineSettings settings) {
        ServerClock serverClock = new ServerClock(times.clock());
        this.gate = limits.gates().account();
        this.rates = limits.rates();
        this.observing = settings.observing();
        this.inFlight = observing.inFlight();
        this.clock = times.clock();
        this.clockTolerance = settings.clockTolerance();
        this.timer = times.timer();
        this.random = times.random();
        Attempts attempts = new Attempts(times, limits, serverClock, wire.sendings(), inFlight::abandoned);
        this.pipeline = new HttpPipelineBuilder()
                .httpClient(wire.client())
                .policies(
                        new OperationPolicy(
                                attempts,
                                new SdkRequests(
                                        attempts, new Bodies(inFlight, times.timer()), settings.clockTolerance()),
                                inFlight,
                                settings),
                        wire.userAgent(),
                        new AuthorizingPolicy(authorizer, serverClock))
                .build();
    }

    /**
     * Sends an operation.
     *
     * @param call the operation
     * @param <A> what its answer means
     * @return the meaning of its answer, on an I/O or timer thread; or a {@link io.stowline.error.StorageException}
     */
    public <A> Mono<A> send(Call<A> call) {
        return Mono.defer(() -> pipeline.send(request(call), new Context(Call.KEY, call).addData(Bodies.EAGER, true)))
                .map(response -> call.value());
    }

    /**
     * Counts what an answer has brought towards the scalability targets; the requests that come next wait for it.
     *
     * @param load what it has brought, beyond the cost that was known before
     */
    public void brought(Load load) {
        if (rates != null) {
            rates.pay(load);
        }
    }

    /**
     * What is not known of an operation that has ended.
     *
     * @param call the operation
     * @return the doubt, if any
     */
    public Doubt doubt(Call<?> call) {
        return call.doubt(timer).tolerating(clockTolerance);
    }

    /**
     * The clock and alarm of all waits.
     *
     * @return the timer
     */
    public Scheduler timer() {
        return timer;
    }

    /**
     * What draws the jitter of waits.
     *
     * @return the source
     */
    public RandomGenerator random() {
        return random;
    }

    /**
     * The same way for the clients of the Azure SDK, to the primary only.
     *
     * @return what their calls go through
     */
    public SdkCalls sdk() {
        return new SdkCalls(pipeline, observing, Reads.PRIMARY_ONLY);
    }

    /**
     * Who is told of operations.
     *
     * @return the listener's side
     */
    public Observing observing() {
        return observing;
    }

    private static HttpRequest request(Call<?> call) {
        Request request = call.request();
        HttpHeaders headers = request.headers();
        if (headers.getValue(CLIENT_REQUEST_ID) != null) {
            // Sent before, and perhaps still under way.
            headers = new HttpHeaders(headers);
        }
        headers.set(VERSION, SERVICE_VERSION).set(CLIENT_REQUEST_ID, call.clientRequestId());
        RequestBody body = request.body();
        if (body != null) {
            headers.set(HttpHeaderName.CONTENT_LENGTH, Integer.toString(body.length()));
        }
        return new OwnRequest(request.method(), request.url(), headers, body);
    }

    /**
     * What bounds the attempts in flight.
     *
     * @return the gate of this account and service
     */
    public Gate gate() {
        return gate;
    }

    /**
     * This machine's clock.
     *
     * @return the clock
     */
    public Clock clock() {
        return clock;
    }

    /** Refuses new operations from now on. */
    Mono<Void> drained() {
        return inFlight.close();
    }

    /** Ends what is still under way with an error. */
    void abandon() {
        inFlight.abandon();
    }
}
