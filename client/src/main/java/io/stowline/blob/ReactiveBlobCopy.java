package io.stowline.blob;

import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * A copy that the service makes on its own schedule; see {@link BlobCopy}.
 *
 * <p>Thread-safe.
 */
public interface ReactiveBlobCopy {

    /**
     * Returns the name of the target.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the id by which the service knows the copy.
     *
     * @return the id
     */
    String id();

    /**
     * Requests how far the copy has come; see {@link BlobCopy#progress}.
     *
     * @return its progress
     */
    Mono<CopyProgress> progress();

    /**
     * Waits for the end; see {@link BlobCopy#join()}. Cancelling the subscription does not abort the copy.
     *
     * @return the facts of the copy
     */
    Mono<BlobInfo> join();

    /**
     * Waits for the end, but no longer than this; see {@link BlobCopy#join(Duration)}.
     *
     * @param atMost the time for it
     * @return the facts of the copy; empty if it is still pending
     */
    Mono<BlobInfo> join(Duration atMost);

    /**
     * Aborts the copy; see {@link BlobCopy#abort}.
     *
     * @return whether it was aborted, or had failed
     */
    Mono<Boolean> abort();
}
