package io.stowline.testkit.stress;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The rows that a preload has to write yet. Thread-safe. */
final class LoadBacklog {

    private final int partitions;
    private final long all;
    private final Deque<Row> repeated = new ArrayDeque<>();
    private long begun;
    private long done;
    private long pausedUntil = Long.MIN_VALUE;
    private @Nullable Throwable failure;

    /**
     * A row to write.
     *
     * @param partition the number of its partition
     * @param number its number there
     * @param repetitions how often it was refused
     */
    record Row(int partition, long number, int repetitions) {}

    LoadBacklog(int partitions, long rows) {
        this.partitions = partitions;
        this.all = rows * partitions;
    }

    /** Returns the next row to send, or null if all are in flight. */
    synchronized @Nullable Row next() {
        if (!repeated.isEmpty()) {
            return repeated.poll();
        }
        if (begun == all) {
            return null;
        }
        Row row = new Row((int) (begun % partitions), begun / partitions, 0);
        begun++;
        return row;
    }

    synchronized void putBack(Row row) {
        repeated.addFirst(row);
    }

    synchronized boolean isPaused(long now) {
        return pausedUntil != Long.MIN_VALUE && now - pausedUntil < 0;
    }

    synchronized void repeat(Row row, long notBefore) {
        repeated.add(new Row(row.partition(), row.number(), row.repetitions() + 1));
        pausedUntil = notBefore;
    }

    synchronized void done() {
        done++;
    }

    synchronized void fail(Throwable cause) {
        failure = failure == null ? cause : failure;
    }

    /**
     * Returns whether all rows are written.
     *
     * @throws IllegalStateException if a row failed
     */
    synchronized boolean isDone() {
        if (failure != null) {
            throw new IllegalStateException("the preload failed after " + done + " of " + all + " rows", failure);
        }
        return done == all;
    }
}
