package io.stowline.transport.internal;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** The bytes of a body, copied as they come into an array of the length that was announced. */
final class WholeBody extends Mono<byte[]> {

    private static final byte[] EMPTY = new byte[0];

    /** What is believed of an announcement; a longer body grows the array. */
    private static final long MOST_AT_ONCE = 8 << 20;

    private final Flux<ByteBuf> parts;
    private final int expected;

    WholeBody(Flux<ByteBuf> parts, @Nullable String contentLength) {
        this.parts = parts;
        this.expected = expected(contentLength);
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
        parts.subscribe(new Run(actual, expected));
    }

    private static final class Run implements CoreSubscriber<ByteBuf> {

        private final CoreSubscriber<? super byte[]> actual;
        private byte[] bytes;
        private int size;

        Run(CoreSubscriber<? super byte[]> actual, int expected) {
            this.actual = actual;
            this.bytes = expected == 0 ? EMPTY : new byte[expected];
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            actual.onSubscribe(new Subscription() {
                @Override
                public void request(long n) {
                    subscription.request(Long.MAX_VALUE);
                }

                @Override
                public void cancel() {
                    subscription.cancel();
                }
            });
        }

        @Override
        public void onNext(ByteBuf part) {
            int length = part.readableBytes();
            if (size + length > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(size + length, size == 0 ? 0 : bytes.length * 2));
            }
            part.readBytes(bytes, size, length);
            size += length;
        }

        @Override
        public void onError(Throwable error) {
            actual.onError(error);
        }

        @Override
        public void onComplete() {
            actual.onNext(size == bytes.length ? bytes : Arrays.copyOf(bytes, size));
            actual.onComplete();
        }
    }
}
