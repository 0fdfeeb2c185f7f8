package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/** The bytes of a body as a {@link BoundedBody}; what is beyond its bound is not read. */
public final class AggregateBodyMono extends Mono<byte[]> {

    private final Flux<ByteBuf> parts;
    private final long announced;
    private final int bound;
    private final boolean cut;

    private AggregateBodyMono(Flux<ByteBuf> parts, @Nullable String contentLength, int bound, boolean cut) {
        this.parts = parts;
        this.announced = announced(contentLength);
        this.bound = bound;
        this.cut = cut;
    }

    /** The body of an answer with this status. */
    public static AggregateBodyMono of(int status, Flux<ByteBuf> parts, @Nullable String contentLength) {
        return ResponseBounds.success(status)
                ? new AggregateBodyMono(parts, contentLength, ResponseBounds.PAGE_BYTES, false)
                : new AggregateBodyMono(parts, contentLength, ResponseBounds.ERROR_BYTES, true);
    }

    /** The same for an answer that came through azure-core's client or the application's. */
    static AggregateBodyMono of(HttpResponse answer) {
        int most =
                answer.getRequest() instanceof DirectRequest ? ResponseBounds.PAGE_BYTES : ResponseBounds.LISTING_BYTES;
        boolean success = ResponseBounds.success(answer.getStatusCode());
        Flux<ByteBuffer> body = answer.getBody();
        return new AggregateBodyMono(
                body == null ? Flux.empty() : body.map(Unpooled::wrappedBuffer),
                answer.getHeaderValue(HttpHeaderName.CONTENT_LENGTH),
                success ? most : ResponseBounds.ERROR_BYTES,
                !success);
    }

    private static long announced(@Nullable String contentLength) {
        try {
            return contentLength == null ? -1 : Long.parseLong(contentLength);
        } catch (NumberFormatException unusual) {
            return -1;
        }
    }

    @Override
    public void subscribe(CoreSubscriber<? super byte[]> actual) {
        parts.subscribe(new Run(actual, new BoundedBody(announced, bound, cut)));
    }

    private static final class Run extends RelaySubscriber<ByteBuf, byte[]> {

        private final BoundedBody body;
        private boolean ended;

        Run(CoreSubscriber<? super byte[]> actual, BoundedBody body) {
            super(actual);
            this.body = body;
        }

        @Override
        public void request(long n) {
            upstream().request(Long.MAX_VALUE);
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
                }
            } catch (ResponseTooLongException e) {
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
