package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.BinaryData;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Makes bodies that can be read only once replayable by reading them into memory before the first attempt, up to a size. The SDK's upload
 * methods give such bodies even for data that lies in memory: they turn it into a stream that does not say that it can be read
 * again. Thread-safe.
 */
final class HeldBodies {

    private final int most;
    private final Duration atMost;
    private final Scheduler timer;

    HeldBodies(int most, Duration atMost, Scheduler timer) {
        this.most = most;
        this.atMost = atMost;
        this.timer = timer;
    }

    Mono<Void> hold(HttpRequest request) {
        BinaryData body = holdable(request);
        return body == null ? Mono.empty() : held(request, body.toReplayableBinaryDataAsync());
    }

    /** For a caller that waits: the SDK would read on threads that the waiting callers may all be on. */
    Mono<Void> holdBlocking(HttpRequest request) {
        BinaryData body = holdable(request);
        return body == null ? Mono.empty() : held(request, BlockingSteps.mono(body::toReplayableBinaryData));
    }

    private Mono<Void> held(HttpRequest request, Mono<BinaryData> read) {
        return read.timeout(atMost, timer).doOnNext(request::setBody).then();
    }

    private @Nullable BinaryData holdable(HttpRequest request) {
        BinaryData body = request.getBodyAsBinaryData();
        return body == null || body.isReplayable() || length(request, body) > most ? null : body;
    }

    /** A streamed body does not know its length, its request does. */
    private static long length(HttpRequest request, BinaryData body) {
        Long known = body.getLength();
        if (known != null) {
            return known;
        }
        String header = request.getHeaders().getValue(HttpHeaderName.CONTENT_LENGTH);
        return header == null ? Long.MAX_VALUE : Long.parseLong(header);
    }
}
