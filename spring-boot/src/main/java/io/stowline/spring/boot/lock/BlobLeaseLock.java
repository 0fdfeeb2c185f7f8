package io.stowline.spring.boot.lock;

import io.stowline.blob.LeaderTerm;
import io.stowline.blob.LeaseLostException;
import io.stowline.blob.ReactiveLeaderElection;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ConflictException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;

/**
 * {@link FencedLock} by a lock of this process and the election of one blob. Threads of the process queue for the first, so that one of them at a time tries
 * the second.
 */
final class BlobLeaseLock implements FencedLock {

    private static final long FOREVER = Long.MAX_VALUE;
    private static final long ONCE = 0;

    private final String key;
    private final Duration lease;
    private final long pollNanos;
    private final Function<Duration, ReactiveLeaderElection> elections;
    private final ReentrantLock threads = new ReentrantLock(true);
    private volatile long lastUsed = System.nanoTime();

    /** Guarded by the lock of the threads. */
    private @Nullable LockTerm current;

    BlobLeaseLock(
            String key, Duration lease, Duration pollEvery, Function<Duration, ReactiveLeaderElection> elections) {
        this.key = key;
        this.lease = lease;
        this.pollNanos = pollEvery.toNanos();
        this.elections = elections;
    }

    @Override
    public void lock() {
        lock(lease);
    }

    @Override
    public void lock(Duration ttl) {
        ReactiveLeaderElection election = elections.apply(ttl);
        threads.lock();
        boolean interrupted = false;
        boolean acquired = false;
        try {
            while (!acquired) {
                try {
                    acquired = acquires(election, FOREVER);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            given(acquired);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        ReactiveLeaderElection election = elections.apply(lease);
        threads.lockInterruptibly();
        boolean acquired = false;
        try {
            acquired = acquires(election, FOREVER);
        } finally {
            given(acquired);
        }
    }

    @Override
    public boolean tryLock() {
        try {
            return tryLock(Duration.ZERO, lease);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(time)), lease);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        ReactiveLeaderElection election = elections.apply(ttl);
        long nanos = TimeUnit.NANOSECONDS.convert(waitTime);
        long begin = System.nanoTime();
        if (!threads.tryLock(nanos, TimeUnit.NANOSECONDS)) {
            return false;
        }
        boolean acquired = false;
        try {
            acquired = acquires(election, nanos <= 0 ? ONCE : Math.max(1, nanos - (System.nanoTime() - begin)));
        } finally {
            given(acquired);
        }
        return acquired;
    }

    /** Gives the lock of the threads back, unless the thread has the lease, too. */
    private void given(boolean acquired) {
        if (!acquired) {
            threads.unlock();
        }
    }

    /**
     * Tries until the lease is acquired or the time is over.
     *
     * @param nanos zero for one try, which takes the time of its requests, or that of a lease where the service is silent
     */
    private boolean acquires(ReactiveLeaderElection election, long nanos) throws InterruptedException {
        lastUsed = System.nanoTime();
        if (threads.getHoldCount() > 1) {
            if (!current().term().isCurrent()) {
                throw lost(null);
            }
            return true;
        }
        long begin = System.nanoTime();
        while (true) {
            RuntimeException failure = null;
            try {
                LockTerm term = new LockTerm(election);
                if (term.begins(nanos == ONCE ? lease.toNanos() : nanos - (System.nanoTime() - begin))) {
                    current = term;
                    return true;
                }
            } catch (RuntimeException e) {
                failure = e;
            }
            long left = nanos - (System.nanoTime() - begin);
            if (failure != null && (left <= 0 || !isTransient(failure))) {
                throw new CannotAcquireLockException("The lock '" + key + "' cannot be acquired", failure);
            }
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(
                    Math.min(left, ThreadLocalRandom.current().nextLong(pollNanos / 2, pollNanos)));
        }
    }

    private static boolean isTransient(RuntimeException failure) {
        return failure instanceof UnreachableException
                || failure instanceof ServerErrorException
                || failure instanceof ThrottledException
                || failure instanceof CircuitOpenException
                || failure instanceof DeadlineExceededException
                || failure instanceof OutcomeUnknownException
                || failure instanceof PreconditionFailedException
                || failure instanceof ConflictException
                || failure instanceof LeaseLostException;
    }

    @Override
    public LeaderTerm term() {
        return current().term();
    }

    private LockTerm current() {
        LockTerm term = threads.isHeldByCurrentThread() ? current : null;
        if (term == null) {
            throw new IllegalMonitorStateException("The current thread does not own the lock '" + key + "'");
        }
        return term;
    }

    private ConcurrentModificationException lost(@Nullable Throwable cause) {
        return new ConcurrentModificationException(
                "The lock '" + key + "' was lost before it was unlocked. Another process may have it: what this one has"
                        + " written without a fence may be overwritten, or overwrite",
                cause);
    }

    @Override
    public void unlock() {
        LockTerm term = current();
        if (threads.getHoldCount() > 1) {
            threads.unlock();
            return;
        }
        try {
            current = null;
            lastUsed = System.nanoTime();
            Throwable failure = term.release();
            if (failure != null) {
                throw lost(failure);
            }
        } finally {
            threads.unlock();
        }
    }

    /** Returns whether the lease is held for certain; its renewal is the work of the client. */
    boolean isHeld() {
        return current().term().isCurrent();
    }

    /** Returns whether no thread has it or waits for it, and none has used it for so long. */
    boolean isUnusedFor(long nanos) {
        return !threads.isLocked() && !threads.hasQueuedThreads() && System.nanoTime() - lastUsed >= nanos;
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A lock of several processes has no conditions");
    }

    @Override
    public String toString() {
        return "BlobLeaseLock[" + key + "]";
    }
}
