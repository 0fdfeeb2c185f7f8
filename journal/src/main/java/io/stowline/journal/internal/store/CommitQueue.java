package io.stowline.journal.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the next commit. While one is written the next one fills, so that it carries all that came during that
 * time; completions wait for company. Thread-safe.
 */
final class CommitQueue {

    /** The time that a completion waits for something to be written with, in nanoseconds. */
    private static final long COMPANY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private List<Append> appends = new ArrayList<>();
    private List<Done> done = new ArrayList<>();
    private List<FutureTask<?>> lookups = new ArrayList<>();
    private boolean hurried;
    private boolean closed;
    private boolean ended;

    /** A record that is being written. */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Append(long id, byte[] record, CompletableFuture<Long> durable) {}

    /**
     * A record that is being forgotten, or goes to those that were rejected.
     *
     * @param rejection why it was rejected, or {@code null} if it is done
     * @param forgotten its end
     */
    record Done(long id, @Nullable String rejection, CompletableFuture<Void> forgotten) {}

    /**
     * The contents of one commit.
     *
     * @param appends the records, in the order of their ids
     * @param lookups the lookups to run afterwards
     */
    record Group(List<Append> appends, List<Done> done, List<FutureTask<?>> lookups) {}

    /** Adds a record; false when the queue takes no more of them. */
    boolean add(Append append) {
        lock.lock();
        try {
            if (!closed) {
                appends.add(append);
                more.signal();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a completion; false when the writer has ended. */
    boolean add(Done each) {
        lock.lock();
        try {
            if (!ended) {
                done.add(each);
                if (done.size() == 1) {
                    more.signal();
                }
            }
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a lookup; false when the writer has ended. */
    boolean add(FutureTask<?> lookup) {
        lock.lock();
        try {
            if (!ended) {
                lookups.add(lookup);
                more.signal();
            }
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    /** Writes completions without waiting for company. */
    void hurry() {
        lock.lock();
        try {
            hurried = true;
            more.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for something to write; null once it is closed and all is written. */
    @Nullable
    Group take() throws InterruptedException {
        lock.lock();
        try {
            long left = COMPANY_NANOS;
            while (appends.isEmpty() && lookups.isEmpty() && !closed && (done.isEmpty() || (left > 0 && !hurried))) {
                if (done.isEmpty()) {
                    more.await();
                } else {
                    left = more.awaitNanos(left);
                }
            }
            hurried = false;
            if (appends.isEmpty() && done.isEmpty() && lookups.isEmpty()) {
                ended = true;
                return null;
            }
            return all();
        } finally {
            lock.unlock();
        }
    }

    private Group all() {
        Group group = new Group(appends, done, lookups);
        appends = new ArrayList<>();
        done = new ArrayList<>();
        lookups = new ArrayList<>();
        return group;
    }

    /** Closes the queue and returns its uncommitted records. */
    Group end() {
        lock.lock();
        try {
            closed = true;
            ended = true;
            return all();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            more.signal();
        } finally {
            lock.unlock();
        }
    }
}
