package io.stowline.caching.internal;

import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The body of an answer, wherever it is. */
interface Body {

    /** How many bytes, -1 if that is not known. */
    long length();

    Flux<ByteBuffer> flux();

    default Mono<byte[]> bytes() {
        return Gathered.all(flux());
    }

    /** Whether any number of readers may have it. */
    default boolean shared() {
        return false;
    }

    /** Gives back what it holds; twice does nothing. Never blocks. */
    void close();
}
