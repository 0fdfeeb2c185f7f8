package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.http.response.EagerHttpClient;
import io.stowline.transport.internal.pipeline.Exchange;
import java.nio.ByteBuffer;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The bodies of responses that an SDK client reads as a stream. Those of refusals are read whole, to be judged; the others count as in
 * flight while they are read, and one that stands still is ended with an error that the reader can resume after.
 */
public final class ResponseBodies {

    private final InFlightRegistry inFlight;
    private final Scheduler timer;

    public ResponseBodies(InFlightRegistry inFlight, Scheduler timer) {
        this.inFlight = inFlight;
        this.timer = timer;
    }

    private static boolean streamed(HttpPipelineCallContext context) {
        return !Boolean.TRUE.equals(context.getData(EagerHttpClient.EAGER).orElse(false));
    }

    private static boolean success(HttpResponse response) {
        return ResponseBounds.success(response.getStatusCode());
    }

    /** Returns the response, with its body if it is a refusal: not every HTTP client reads it whole on demand. */
    Mono<HttpResponse> whole(Mono<HttpResponse> sent) {
        return sent.flatMap(response -> success(response) ? Mono.just(response) : BufferedResponse.of(response));
    }

    /** Returns the response with a streamed body that cannot stand still for longer than an attempt may last. */
    HttpResponse guarded(HttpPipelineCallContext context, Exchange<?> exchange, HttpResponse response) {
        if (!streamed(context) || !success(response)) {
            return response;
        }
        RetrySettings settings = exchange.options().settings();
        return new StreamedResponse(
                response, body -> guarded(body, settings.serverTimeout().plus(settings.grace())));
    }

    private Flux<ByteBuffer> guarded(Flux<ByteBuffer> body, Duration still) {
        return inFlight.count(new StallTimeoutFlux(body, still, timer));
    }
}
