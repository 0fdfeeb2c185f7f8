package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.stowline.retry.Gate;
import io.stowline.retry.Permit;
import io.stowline.retry.RetrySettings;
import java.net.MalformedURLException;
import java.net.URL;
import java.time.Clock;
import reactor.core.publisher.Mono;

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
    private final Clock clock;
    private final InFlight inFlight = new InFlight();

    StoragePipeline(Authorizer authorizer, Wire wire, Gate gate, Times times, RetrySettings foreign) {
        ServerClock serverClock = new ServerClock(times.clock());
        this.gate = gate;
        this.clock = times.clock();
        Attempts attempts = new Attempts(times, gate, serverClock, wire.sendings(), inFlight::abandoned);
        this.pipeline = new HttpPipelineBuilder()
                .httpClient(wire.client())
                .policies(
                        new OperationPolicy(
                                attempts,
                                new SdkRequests(attempts, new Bodies(inFlight, times.timer())),
                                new ForeignCalls(foreign, false),
                                inFlight),
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
                .map(response -> call.value())
                .doFinally(signal -> releaseUnused(call));
    }

    /**
     * The same way for the clients of the Azure SDK.
     *
     * @return what their calls go through
     */
    public SdkCalls sdk() {
        return new SdkCalls(pipeline);
    }

    private static void releaseUnused(Call<?> call) {
        Permit unused = call.takeFirstPermit();
        if (unused != null) {
            unused.release();
        }
    }

    /** With headers of its own: a request may be under way several times at once. */
    private static HttpRequest request(Call<?> call) {
        Request request = call.request();
        HttpHeaders headers = new HttpHeaders(request.headers().getSize() + 6)
                .setAllHttpHeaders(request.headers())
                .set(VERSION, SERVICE_VERSION)
                .set(HttpHeaderName.USER_AGENT, UserAgent.TEXT)
                .set(CLIENT_REQUEST_ID, call.clientRequestId());
        byte[] body = request.body();
        try {
            URL url = new URL(request.url());
            if (body == null) {
                return new HttpRequest(request.method(), url, headers);
            }
            headers.set(HttpHeaderName.CONTENT_LENGTH, Integer.toString(body.length));
            return new HttpRequest(request.method(), url, headers, BinaryData.fromBytes(body));
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("not a URL: " + request.url(), e);
        }
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
