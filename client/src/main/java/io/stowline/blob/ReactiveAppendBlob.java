package io.stowline.blob;

import reactor.core.publisher.Mono;

/**
 * The non-blocking face of an {@link AppendBlob}. Nothing is sent before a subscription; appends are made in the order of their
 * subscriptions. Results arrive on the callback threads.
 *
 * <p>Thread-safe. Failures are those of {@link AppendBlob}.
 */
public interface ReactiveAppendBlob {

    /**
     * Returns the blob's name.
     *
     * @return the name
     */
    String name();

    /**
     * Creates the empty blob; see {@link AppendBlob#create}.
     *
     * @return the end of it
     */
    Mono<Void> create();

    /**
     * Creates the empty blob unless there is one; see {@link AppendBlob#createIfMissing}.
     *
     * @return whether it was made
     */
    Mono<Boolean> createIfMissing();

    /**
     * Appends bytes; see {@link AppendBlob#append}.
     *
     * @param bytes 1 byte to 100 MiB, which must not change until the end
     * @return where they are
     */
    Mono<BlobWriteResult> append(byte[] bytes);
}
