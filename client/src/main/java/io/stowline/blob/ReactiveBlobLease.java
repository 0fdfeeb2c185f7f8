package io.stowline.blob;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** A {@link BlobLease} with methods that do not block. Each runs when it is subscribed to. Thread-safe. */
public interface ReactiveBlobLease {

    /**
     * Returns the id; see {@link BlobLease#id}.
     *
     * @return a UUID
     */
    String id();

    /**
     * Returns whether the lease is held for certain; see {@link BlobLease#isHeld}.
     *
     * @return false once it is lost or released, for ever
     */
    boolean isHeld();

    /**
     * Returns the time for which no other client can get the lease; see {@link BlobLease#remaining}.
     *
     * @return the time; zero once it is lost or released
     */
    Duration remaining();

    /**
     * Runs a task once when the lease is lost; see {@link BlobLease#onLost}.
     *
     * @param task stops what the lease guards
     */
    void onLost(Runnable task);

    /**
     * Gives the lease another id; see {@link BlobLease#change}.
     *
     * @return the end of it
     */
    Mono<Void> change();

    /**
     * Ends the lease at once; see {@link BlobLease#release}.
     *
     * @return the end of it
     */
    Mono<Void> release();

    /**
     * Releases the lease unless it is lost.
     *
     * @return the end of it
     */
    Mono<Void> close();
}
