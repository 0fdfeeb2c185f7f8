package io.stowline.examples.quickstart;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Does one thing again and again while another is being done. */
final class Ticker {

    /** What is being done meanwhile. */
    @FunctionalInterface
    interface Work {

        void run() throws InterruptedException;
    }

    private Ticker() {}

    /** Returns or throws when the work does; the tick runs on a thread of its own and never after that. */
    static void during(Work work, Duration interval, Runnable tick) throws InterruptedException {
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
        Thread thread = new Thread(task, "quickstart-progress");
        thread.setDaemon(true);
        return thread;
    }
}
