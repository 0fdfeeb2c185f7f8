package io.stowline.examples.shared;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A ticker that does one thing again and again while another is being done. */
public final class Ticker {

    /** The work that takes a while. */
    @FunctionalInterface
    public interface Work {

        /**
         * Does it.
         *
         * @throws InterruptedException if the thread is interrupted
         */
        void run() throws InterruptedException;
    }

    private Ticker() {}

    /**
     * Returns or throws when the work does; the tick runs on another thread and never after that.
     *
     * @param work the work
     * @param interval how long to wait before each tick
     * @param tick what to do again and again
     * @throws InterruptedException if the thread is interrupted
     */
    public static void during(Work work, Duration interval, Runnable tick) throws InterruptedException {
        ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1, Ticker::thread);
        Future<?> ticks =
                timer.scheduleWithFixedDelay(tick, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
        try {
            work.run();
        } finally {
            ticks.cancel(false);
            timer.shutdown();
            timer.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    }
}
