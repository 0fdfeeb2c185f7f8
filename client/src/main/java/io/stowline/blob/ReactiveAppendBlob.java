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
     * Appends bytes; see {@link AppendBlob#append(byte[])}.
     *
     * @param bytes 1 byte to 100 MiB, which must not change until the end
     * @return where they are
     */
    Mono<BlobWriteResult> append(byte[] bytes);

    /**
     * Appends bytes at a position that the caller knows; see {@link AppendBlob#append(byte[], long)}.
     *
     * @param bytes 1 byte to 100 MiB, which must not change until the end
     * @param position the blob's end, 0 or more
     * @return where they are
     */
    Mono<BlobWriteResult> append(byte[] bytes, long position);

    /**
     * Returns the largest append that the service version of the client allows; see {@link AppendBlob#maxAppend}.
     *
     * @return its bytes
     */
    int maxAppend();
}
