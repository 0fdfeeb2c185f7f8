package io.stowline.caching.internal.entry;

import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The body of an answer, wherever it is. */
public interface CachedBody {

    /** How many bytes, -1 if that is not known. */
    long length();

    Flux<ByteBuffer> flux();

    default Mono<byte[]> bytes() {
        return BodyCollector.all(flux());
    }

    /** Whether it lies on the shelf, which may fail while it is read. */
    default boolean onShelf() {
        return false;
    }

    /** Whether any number of readers may have it. */
    default boolean shared() {
        return false;
    }

    /** Gives back what it holds; twice does nothing. Never blocks. */
    void close();
}
