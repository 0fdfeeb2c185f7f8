package io.stowline.blob;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * A lease of a blob or container that this process has, and renews at its half until it is released, closed or lost.
 *
 * <pre>{@code
 * try (BlobLease lease = photos.lease("2026.csv", Duration.ofSeconds(30))) {
 *     photos.withLease(lease).upload(bytes, "2026.csv", with -> with.overwrite());
 * }
 * }</pre>
 *
 * <p>It is held, lost or released, and changes once. It counts as lost a second before the service can give it to another client: time runs
 * from the sending of the last renewal that is known to have arrived, on the larger of the machine's two clocks. So a process that was
 * stopped for longer finds it lost before it does anything else with it. It is lost, too, when the service refuses a renewal because the
 * lease was broken, and when the client closes.
 *
 * <p>A lease is not a fence by itself: a write that was sent under it may arrive after its end. The service refuses it where it names the
 * lease, see {@link BlobContainer#withLease}, and where a term of a {@link LeaderElection} guards it.
 *
 * <p>Thread-safe. {@link ReactiveBlobLease} has the same methods without blocking.
 */
public interface BlobLease extends AutoCloseable {

    /** The duration of a lease that has no end. It is not renewed, and ends by {@link #release} or by a break only. */
    Duration INFINITE = ChronoUnit.FOREVER.getDuration();

    /**
     * Returns the id, which this client has chosen. Each client that knows it can use the lease.
     *
     * @return a UUID
     */
    String id();

    /**
     * Returns whether the lease is held for certain. Costs no request.
     *
     * @return false once it is lost or released, for ever
     */
    boolean isHeld();

    /**
     * Returns the time for which no other client can get the lease, if no renewal arrives.
     *
     * @return the time; zero once it is lost or released, {@link #INFINITE} for a lease without end
     */
    Duration remaining();

    /**
     * Runs a task once when the lease is lost, on the callback threads; at once if it is lost already. A released lease runs none.
     *
     * @param task stops what the lease guards
     */
    void onLost(Runnable task);

    /**
     * Gives the lease another id, so that a process that knows the old one can use it no longer. If the outcome stays unknown the lease
     * counts as lost.
     *
     * @throws LeaseLostException if it is lost or released
     */
    void change();

    /**
     * Ends the lease at once, so that another client can get it. Does nothing if it is released already.
     *
     * @throws LeaseLostException if it was lost before
     * @throws io.stowline.error.OutcomeUnknownException if no response came: a lease with an end ends by itself
     */
    void release();

    /** Releases the lease unless it is lost. */
    @Override
    void close();
}
