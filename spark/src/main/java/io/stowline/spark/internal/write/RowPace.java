package io.stowline.spark.internal.write;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The bound of a task's rows per second, without a burst at its start. For the thread of the task. */
final class RowPace {

    /** Shorter waits are left to the rows that follow. */
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(5);

    private final double nanosPerRow;
    private final LongSupplier clock;
    private final Pause pause;
    private final long start;
    private double next;

    /** A wait of the task. */
    interface Pause {
        void await(long nanos) throws InterruptedException;
    }

    /**
     * Makes the pace of a task.
     *
     * @param rowsPerSecond the bound; zero for none
     */
    RowPace(double rowsPerSecond, LongSupplier clock, Pause pause) {
        this.nanosPerRow = rowsPerSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / rowsPerSecond;
        this.clock = clock;
        this.pause = pause;
        this.start = clock.getAsLong();
    }

    static RowPace of(double rowsPerSecond) {
        return new RowPace(rowsPerSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    }

    /** Waits until the next row may follow. */
    void take() throws InterruptedException {
        if (nanosPerRow == 0) {
            return;
        }
        double now = (double) (clock.getAsLong() - start);
        next = Math.max(next, now) + nanosPerRow;
        long wait = (long) (next - now);
        if (wait >= SHORTEST) {
            pause.await(wait);
        }
    }
}
