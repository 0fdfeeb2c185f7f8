package io.stowline.caching.internal.entry;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Collectors of bodies into memory. */
public final class BodyCollector {

    private BodyCollector() {}

    static Mono<byte[]> all(Flux<ByteBuffer> body) {
        return body.collect(ByteArrayOutputStream::new, BodyCollector::add).map(ByteArrayOutputStream::toByteArray);
    }

    /** Returns all bytes of a body of known length. */
    public static Mono<byte[]> all(Flux<ByteBuffer> body, long length) {
        return all(body)
                .flatMap(bytes -> bytes.length == length ? Mono.just(bytes) : Mono.error(cut(bytes.length, length)));
    }

    /** Returns all bytes of a body that is no longer than this; else it fails with {@link OversizedBodyException}. */
    public static Mono<byte[]> upTo(Flux<ByteBuffer> body, long room) {
        return body.collect(ByteArrayOutputStream::new, (bytes, buffer) -> {
                    if (bytes.size() + buffer.remaining() > room) {
                        throw new BodyTooLargeException(room);
                    }
                    add(bytes, buffer);
                })
                .map(ByteArrayOutputStream::toByteArray);
    }

    /**
     * Returns the body, which fails at its end, or at the first surplus byte, unless it has this length; -1 takes any.
     */
    public static Flux<ByteBuffer> exactly(Flux<ByteBuffer> body, long length) {
        if (length < 0) {
            return body;
        }
        return Flux.defer(() -> {
            AtomicLong given = new AtomicLong();
            return body.doOnNext(buffer -> {
                        if (given.addAndGet(buffer.remaining()) > length) {
                            throw Exceptions.propagate(cut(given.get(), length));
                        }
                    })
                    .concatWith(Mono.defer(
                            () -> given.get() == length ? Mono.empty() : Mono.error(cut(given.get(), length))));
        });
    }

    /** Returns the exception for a body of the wrong length. */
    public static IOException cut(long bytes, long length) {
        return new IOException("the body of the response has " + bytes + " bytes; it was to have " + length);
    }

    public static void add(ByteArrayOutputStream bytes, ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        bytes.writeBytes(copy);
    }

    /** A body is larger than there is room for. */
    public static final class BodyTooLargeException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BodyTooLargeException(long room) {
            super("the body of the response has more than " + room + " bytes", null, false, false);
        }
    }
}
