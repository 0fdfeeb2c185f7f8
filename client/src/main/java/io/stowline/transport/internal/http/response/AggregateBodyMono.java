package io.stowline.transport.internal.http.response;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.stowline.transport.internal.http.BodySink.RefusedBodyException;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.RelaySubscriber;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.StrayResponseException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * The bytes of a body as a {@link BoundedBody}; what is beyond its bound is not read. Where the attempt has a {@link BodyFeed}, the body of
 * a success goes there and the array is empty.
 */
final class AggregateBodyMono extends Mono<byte[]> {

    private final int status;
    private final StorageResponse.Headers headers;
    private final Flux<ByteBuf> parts;
    private final int max;
    private final boolean bodiless;
    private final @Nullable StrayResponseException stray;

    AggregateBodyMono(
            int status,
            StorageResponse.Headers headers,
            Flux<ByteBuf> parts,
            int max,
            boolean bodiless,
            @Nullable StrayResponseException stray) {
        this.status = status;
        this.headers = headers;
        this.parts = parts;
        this.max = max;
        this.bodiless = bodiless;
        this.stray = stray;
    }

    /**
     * Returns the body of a response that came through azure-core's client or the application's, and may be another
     * request's.
     */
    static AggregateBodyMono of(HttpResponse response) {
        int max = response.getRequest() instanceof DirectRequest own ? own.maxResponse() : ResponseBounds.LISTING_BYTES;
        Flux<ByteBuffer> body = response.getBody();
        return new AggregateBodyMono(
                response.getStatusCode(),
                StorageResponse.Headers.of(response),
                body == null ? Flux.empty() : body.map(Unpooled::wrappedBuffer),
                max,
                response.getRequest().getHttpMethod() == HttpMethod.HEAD,
                StrayResponseException.against(response));
    }

    /** The header of a {@code HEAD} response is the length of the stored content, of which nothing follows. */
    private long announced() {
        if (bodiless) {
            return 0;
        }
        String contentLength = headers.value(HttpHeaderName.CONTENT_LENGTH);
        try {
            return contentLength == null ? -1 : Long.parseLong(contentLength);
        } catch (NumberFormatException unusual) {
            return -1;
        }
    }

    @Override
    public void subscribe(CoreSubscriber<? super byte[]> actual) {
        ResponseBody body;
        try {
            body = body(actual.currentContext().getOrDefault(WriteTracker.class, null));
        } catch (IOException | RuntimeException refused) {
            Operators.error(actual, refused);
            return;
        }
        parts.subscribe(new Run(actual, body));
    }

    private ResponseBody body(@Nullable WriteTracker tracker) throws IOException {
        long announced = announced();
        BodyFeed feed = tracker == null || !ResponseBounds.success(status) ? null : tracker.feed();
        ResponseBody body = feed == null ? BoundedBody.of(status, max) : feed;
        if (feed != null) {
            if (stray != null) {
                throw stray;
            }
            feed.borrows();
        }
        body.begin(status, headers, announced);
        return body;
    }

    private static final class Run extends RelaySubscriber<ByteBuf, byte[]> {

        private final ResponseBody body;
        private boolean ended;

        Run(CoreSubscriber<? super byte[]> actual, ResponseBody body) {
            super(actual);
            this.body = body;
        }

        @Override
        public void request(long n) {
            upstream().request(body instanceof BodyFeed ? 1 : Long.MAX_VALUE);
        }

        private void readOn() {
            upstream().request(1);
        }

        @Override
        public void onNext(ByteBuf part) {
            if (ended) {
                return;
            }
            try {
                if (!body.add(part, part.readableBytes())) {
                    upstream().cancel();
                    onComplete();
                } else if (body instanceof BodyFeed feed && feed.ready(this::readOn)) {
                    readOn();
                }
            } catch (IOException | RefusedBodyException e) {
                ended = true;
                upstream().cancel();
                actual.onError(e);
            }
        }

        @Override
        public void onError(Throwable error) {
            if (ended) {
                Operators.onErrorDropped(error, currentContext());
                return;
            }
            ended = true;
            actual.onError(error);
        }

        @Override
        public void onComplete() {
            if (ended) {
                return;
            }
            ended = true;
            actual.onNext(body.bytes());
            actual.onComplete();
        }
    }
}
