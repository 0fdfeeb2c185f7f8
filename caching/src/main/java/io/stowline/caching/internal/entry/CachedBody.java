package io.stowline.caching.internal.entry;

import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The body of a response, in memory, on the shelf or in transfer. */
public interface CachedBody {

    /** Returns the length in bytes, -1 if it is not known. */
    long length();

    Flux<ByteBuffer> flux();

    default Mono<byte[]> bytes() {
        return BodyCollector.all(flux());
    }

    /** Returns whether the body lies on the shelf, which may fail during a read. */
    default boolean onShelf() {
        return false;
    }

    /** Returns whether any number of readers may take it. */
    default boolean shared() {
        return false;
    }

    /** Gives back what it holds; twice does nothing. Never blocks. */
    void close();
}
