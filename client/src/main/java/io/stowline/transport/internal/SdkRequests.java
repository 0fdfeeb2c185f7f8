package io.stowline.transport.internal;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import io.stowline.retry.Ended;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Sends the attempts of requests that clients of the Azure SDK have made, each on a copy of the request. Thread-safe. */
final class SdkRequests {

    private final Attempts attempts;
    private final Bodies bodies;

    SdkRequests(Attempts attempts, Bodies bodies) {
        this.attempts = attempts;
        this.bodies = bodies;
    }

    Mono<Ended<HttpResponse>> send(
            HttpPipelineCallContext context, Call<Object> call, Supplier<Mono<HttpResponse>> next) {
        HttpRequest original = context.getHttpRequest();
        context.setData(Call.KEY, call);
        return attempts.run(call, url -> {
            context.setHttpRequest(original.copy().setUrl(url));
            return bodies.whole(context, next.get());
        });
    }

    /** The answer for the SDK client, its body still to be read. */
    HttpResponse handOver(HttpPipelineCallContext context, HttpResponse answer) {
        return bodies.guarded(context, answer);
    }

    static boolean replayable(HttpRequest request) {
        BinaryData body = request.getBodyAsBinaryData();
        return body == null || body.isReplayable();
    }
}
