package io.stowline.records.internal.engine;

import io.stowline.error.ClosedException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.journal.JournalException;
import io.stowline.table.BufferFullException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The way in: a record is admitted when there is room for it and nothing waits before it, in FIFO order of blocking and reactive callers.
 * A full buffer has a chunk on its way, so that it empties. Thread-safe.
 */
final class RecordIntake {

    private final String writer;
    private final WriterLock lock;
    private final WriterTally tally;
    private final ChunkRoll roll;
    private final ChunkDelivery delivery;
    private final Duration submitTimeout;
    private final SerialTasks callbacks;
    private final Executor signals;
    private final @Nullable SharedCommit commit;
    private final WaitingLine line;

    private @Nullable RuntimeException refusal;

    /**
     * Opens the way.
     *
     * @param signals runs the signals to reactive callers
     * @param disk runs the disk's work for reactive callers, or {@code null} if records are kept in memory
     */
    RecordIntake(
            String writer,
            WriterLock lock,
            WriterTally tally,
            ChunkRoll roll,
            ChunkDelivery delivery,
            Duration submitTimeout,
            SerialTasks callbacks,
            Executor signals,
            @Nullable Executor disk) {
        this.writer = writer;
        this.lock = lock;
        this.tally = tally;
        this.roll = roll;
        this.delivery = delivery;
        this.submitTimeout = submitTimeout;
        this.callbacks = callbacks;
        this.signals = signals;
        this.line = new WaitingLine(tally);
        this.commit = disk == null ? null : new SharedCommit(lock, this, signals, disk);
    }

    /**
     * Writes a record, and waits for the disk where there is one.
     *
     * @param waits whether it waits for room
     */
    void write(byte[] record, boolean waits) {
        BufferedChunk chunk;
        long mark;
        lock.enter();
        try {
            admit(record, waits);
            chunk = chunkFor(record);
            mark = append(chunk, record);
        } finally {
            lock.leave();
        }
        force(chunk, mark, record.length);
    }

    private void admit(byte[] record, boolean waits) {
        checkOpen();
        boolean callback = callbacks.isRunning();
        if (line.isFree(record.length, callback)) {
            return;
        }
        if (!waits) {
            makeRoom();
            throw full("");
        }
        BlockingWaiter waiter = new BlockingWaiter(record, callback);
        line.add(waiter);
        makeRoom();
        waiter.await();
    }

    private void checkOpen() {
        RuntimeException closed = refusal;
        if (closed != null) {
            throw refused(closed);
        }
    }

    private BufferedChunk chunkFor(byte[] record) {
        try {
            return roll.chunkFor(record.length);
        } catch (JournalException e) {
            serve();
            throw e;
        }
    }

    /** Writes an admitted record; called under the lock. */
    private long append(BufferedChunk chunk, byte[] record) {
        long mark;
        try {
            mark = chunk.open().write(record);
        } catch (JournalException e) {
            roll.refused(chunk);
            serve();
            throw e;
        }
        tally.accept(chunk, record.length);
        roll.written(chunk);
        if (waiting() > 0) {
            makeRoom();
        }
        return mark;
    }

    /** Waits for the disk; called outside the lock. */
    void force(BufferedChunk chunk, long mark, int length) {
        try {
            chunk.open().force(mark);
        } catch (JournalException e) {
            lock.enter();
            try {
                tally.refuse(chunk, length);
                roll.refused(chunk);
                serve();
            } finally {
                lock.leave();
            }
            throw e;
        }
    }

    /** Returns the writing of a record that waits for room without a thread. */
    Mono<Void> writeLater(byte[] record) {
        return Mono.create(sink -> {
            ReactiveWaiter waiter = new ReactiveWaiter(record, callbacks.isRunning(), sink::success, sink::error);
            sink.onCancel(() -> leave(waiter));
            if (isAccepted(waiter)) {
                sink.success();
            }
        });
    }

    /** Returns whether a record is accepted at once; otherwise it waits for room or for the disk. */
    private boolean isAccepted(ReactiveWaiter waiter) {
        byte[] record = waiter.record();
        lock.enter();
        try {
            checkOpen();
            if (!line.isFree(record.length, waiter.isCallback())) {
                line.add(waiter);
                makeRoom();
            } else if (commit == null) {
                append(chunkFor(record), record);
                return true;
            } else {
                tally.take(record.length);
                commit.add(waiter);
            }
            return false;
        } finally {
            lock.leave();
        }
    }

    /** Writes a record that has taken room; called under the lock. */
    Written writeTaken(byte[] record) {
        tally.giveBack(record.length);
        checkOpen();
        BufferedChunk chunk = chunkFor(record);
        return new Written(chunk, append(chunk, record), record.length);
    }

    /** A record in its chunk. */
    record Written(BufferedChunk chunk, long mark, int length) {}

    /** Gives room that is free to those who wait for it, in their order; called under the lock. */
    void serve() {
        line.serve();
        if (!line.isEmpty()) {
            makeRoom();
        }
    }

    /** Ends the open chunk unless another one is in flight, so that a full buffer always empties. */
    private void makeRoom() {
        if (delivery.isIdle()) {
            roll.endUnlessEmpty();
        }
    }

    private void leave(LineWaiter waiter) {
        lock.enter();
        try {
            if (line.remove(waiter)) {
                serve();
            }
        } finally {
            lock.leave();
        }
    }

    /** Refuses all records from now on, and those that wait; called under the lock. */
    void close(RuntimeException why) {
        if (refusal == null) {
            refusal = why;
        }
        line.refuse(why);
    }

    /** Returns how many records wait for room; called under the lock. */
    int waiting() {
        return line.size();
    }

    /** Returns whether the first one in line has room all the same; called under the lock. */
    boolean isBlocked() {
        return line.isBlocked();
    }

    private BufferFullException full(String waited) {
        return new BufferFullException(
                "the buffer of the writer of " + writer + " is full" + waited + ": " + tally.describe()
                        + "; set a larger bufferRecords or bufferBytes, with a journal a larger maxBytes of the journal, or"
                        + " write more slowly");
    }

    private static RuntimeException refused(RuntimeException closed) {
        return new ClosedException(String.valueOf(closed.getMessage()));
    }

    /** A thread in the line. */
    private final class BlockingWaiter extends LineWaiter {

        private final Thread thread = Thread.currentThread();
        private volatile boolean decided;
        private @Nullable RuntimeException error;

        BlockingWaiter(byte[] record, boolean callback) {
            super(record, callback);
        }

        @Override
        void granted() {
            decided = true;
            LockSupport.unpark(thread);
        }

        @Override
        void refused(RuntimeException why) {
            error = RecordIntake.refused(why);
            decided = true;
            LockSupport.unpark(thread);
        }

        /** Waits outside the lock, and returns under it, without the room that was taken for it. */
        void await() {
            long end = System.nanoTime() + submitTimeout.toNanos();
            boolean interrupted = false;
            lock.leave();
            try {
                for (long left = submitTimeout.toNanos();
                        !decided && left > 0 && !interrupted;
                        left = end - System.nanoTime()) {
                    LockSupport.parkNanos(this, left);
                    interrupted = Thread.currentThread().isInterrupted();
                }
            } finally {
                lock.enter();
            }
            RuntimeException refused = error;
            if (refused != null) {
                throw refused;
            }
            if (decided) {
                tally.giveBack(record().length);
                checkOpen();
            } else {
                line.remove(this);
            }
            if (interrupted) {
                serve();
                throw new WaitInterruptedException(
                        "interrupted while waiting for room in the writer of " + writer
                                + "; the record was not accepted",
                        new InterruptedException());
            }
            if (!decided) {
                serve();
                throw full(" and stayed so for " + submitTimeout);
            }
        }
    }

    /** A record that waits without a thread. */
    final class ReactiveWaiter extends LineWaiter {

        private final Runnable success;
        private final Consumer<Throwable> error;

        ReactiveWaiter(byte[] record, boolean callback, Runnable success, Consumer<Throwable> error) {
            super(record, callback);
            this.success = success;
            this.error = error;
        }

        @Override
        void granted() {
            SharedCommit shared = commit;
            if (shared != null) {
                shared.add(this);
                return;
            }
            try {
                writeTaken(record());
                lock.afterwards(() -> signals.execute(success));
            } catch (RuntimeException | Error e) {
                refuse(e);
            }
        }

        @Override
        void refused(RuntimeException why) {
            refuse(RecordIntake.refused(why));
        }

        private void refuse(Throwable why) {
            lock.afterwards(() -> signals.execute(() -> error.accept(why)));
        }

        void succeed() {
            success.run();
        }

        void fail(Throwable why) {
            error.accept(why);
        }
    }
}
