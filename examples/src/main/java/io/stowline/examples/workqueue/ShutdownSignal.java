package io.stowline.examples.workqueue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Has Ctrl-C end the work instead of the process, which ends once this is closed. Thread-safe. */
final class ShutdownSignal implements AutoCloseable {

    // The workers have their time, and then the queues are removed.
    private static final Duration PATIENCE = QueueWorker.STOP.plusSeconds(20);

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::hold, "shutdown");
    private final CountDownLatch received = new CountDownLatch(1);

    private ShutdownSignal() {}

    static ShutdownSignal register() {
        ShutdownSignal signal = new ShutdownSignal();
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    private void hold() {
        received.countDown();
        try {
            closed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the work is to end. */
    boolean isReceived() {
        return received.getCount() == 0;
    }

    /** Waits for the signal, at most so long, and returns whether the work is to end. */
    boolean await(Duration atMost) throws InterruptedException {
        return received.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The hook runs, and ends now.
        }
    }
}
