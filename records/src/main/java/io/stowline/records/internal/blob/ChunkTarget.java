package io.stowline.records.internal.blob;

import io.stowline.records.internal.chunk.SealedChunk;
import reactor.core.publisher.Mono;

/** A target that puts chunks into blobs, one after the other, each exactly once however often it is delivered. */
public interface ChunkTarget {

    /**
     * Delivers a chunk, which begins on subscription. May be called again for the same chunk after an error, and in a later process.
     *
     * @return the name of the blob that has it; {@link ChunkRefusedException} if no other try could succeed, otherwise the error of this try
     */
    Mono<String> deliver(SealedChunk chunk);

    /** Gives back what the target has taken, such as a lease; after the last delivery. */
    Mono<Void> close();
}
