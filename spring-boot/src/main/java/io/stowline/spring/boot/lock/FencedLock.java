package io.stowline.spring.boot.lock;

import io.stowline.blob.LeaderTerm;
import java.time.Duration;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * A lock of several processes whose acquisitions are numbered. The lease behind it is renewed while it is held, so that it ends with an {@link #unlock},
 * or after the death of its process.
 *
 * <p>A process that was stopped for longer than the lease has lost the lock and does not know it yet. A blob that {@link #term} has {@linkplain
 * LeaderTerm#fence fenced} refuses what such a process writes:
 *
 * <pre>{@code
 * FencedLock lock = new BlobLeaseLockRegistry(storage.container("locks")).obtain("report");
 * lock.lock();
 * try {
 *     lock.term().fence(photos, "report.csv").upload(bytes);
 * } finally {
 *     lock.unlock();
 * }
 * }</pre>
 *
 * <p>Reentrant for its thread. {@code unlock()} of a lock that was lost throws a {@link java.util.ConcurrentModificationException}, and so does a nested
 * {@code lock()}. {@code tryLock()} and an acquisition that fails throw a {@link org.springframework.dao.CannotAcquireLockException}. It has no conditions.
 */
public interface FencedLock extends DistributedLock {

    /**
     * Returns the term of this acquisition: its number, which is larger than those of all acquisitions before, and the blobs that it fences. {@link
     * LeaderTerm#isCurrent} and {@link LeaderTerm#onLost} show a loss while the lock is held.
     *
     * @return the term
     * @throws IllegalMonitorStateException if the current thread does not own the lock
     */
    LeaderTerm term();

    /**
     * Acquires the lock with another lease. The lease is renewed while the lock is held, so that the time counts from the death of the process.
     *
     * @param ttl the lease; the nearest one between 15 s and 60 s is taken
     */
    @Override
    void lock(Duration ttl);

    /**
     * Acquires the lock with another lease, if it becomes free in time; see {@link #lock(Duration)}.
     *
     * @param waitTime the longest wait; zero for one try
     * @param ttl the lease; the nearest one between 15 s and 60 s is taken
     * @return whether the lock is acquired
     */
    @Override
    boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException;
}
