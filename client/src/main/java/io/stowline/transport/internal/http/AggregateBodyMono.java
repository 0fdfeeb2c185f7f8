package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * The bytes of a body, copied as they come into an array of the length that was announced. Beyond a bound the body of an error is cut
 * off, and any other one is refused; either way the rest is not read.
 */
public final class AggregateBodyMono extends Mono<byte[]> {

    private static final byte[] EMPTY = new byte[0];

    /** The most that is believed of an announcement; a longer body grows the array. */
    private static final long MOST_AT_ONCE = 8 << 20;

    private final Flux<ByteBuf> parts;
    private final int bound;
    private final boolean cut;
    private final int expected;

    private AggregateBodyMono(Flux<ByteBuf> parts, @Nullable String contentLength, int bound, boolean cut) {
        this.parts = parts;
        this.bound = bound;
        this.cut = cut;
        this.expected = Math.min(bound, expected(contentLength));
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

    private static int expected(@Nullable String contentLength) {
        try {
            return contentLength == null ? 0 : (int) Math.min(MOST_AT_ONCE, Math.max(0, Long.parseLong(contentLength)));
        } catch (NumberFormatException unusual) {
            return 0;
        }
    }

    @Override
    public void subscribe(CoreSubscriber<? super byte[]> actual) {
        parts.subscribe(new Run(actual, expected, bound, cut));
    }

    private static final class Run extends RelaySubscriber<ByteBuf, byte[]> {

        private final int bound;
        private final boolean cut;
        private byte[] bytes;
        private int size;
        private boolean ended;

        Run(CoreSubscriber<? super byte[]> actual, int expected, int bound, boolean cut) {
            super(actual);
            this.bound = bound;
            this.cut = cut;
            this.bytes = expected == 0 ? EMPTY : new byte[expected];
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
            int length = Math.min(part.readableBytes(), bound - size);
            boolean over = length < part.readableBytes();
            if (over && !cut) {
                ended = true;
                upstream().cancel();
                actual.onError(ResponseTooLongException.body(bound));
                return;
            }
            if (size + length > bytes.length) {
                int room = (int) Math.min(bound, Math.max(size + (long) length, size == 0 ? 0 : bytes.length * 2L));
                bytes = Arrays.copyOf(bytes, room);
            }
            part.readBytes(bytes, size, length);
            size += length;
            if (over) {
                upstream().cancel();
                onComplete();
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
            actual.onNext(size == bytes.length ? bytes : Arrays.copyOf(bytes, size));
            actual.onComplete();
        }
    }
}
