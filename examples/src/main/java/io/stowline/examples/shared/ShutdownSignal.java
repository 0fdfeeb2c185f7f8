package io.stowline.examples.shared;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A hook that has Ctrl-C end the work instead of the process, which ends once this is closed. Thread-safe. */
public final class ShutdownSignal implements AutoCloseable {

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::hold, "shutdown");
    private final CountDownLatch received = new CountDownLatch(1);
    private final Duration patience;

    private ShutdownSignal(Duration patience) {
        this.patience = patience;
    }

    /**
     * Begins to watch.
     *
     * @param patience how long the work may take to end; then the process ends without it
     * @return the watch; close it when the work has ended
     */
    public static ShutdownSignal register(Duration patience) {
        ShutdownSignal signal = new ShutdownSignal(patience);
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    private void hold() {
        received.countDown();
        try {
            closed.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns whether the work is to end.
     *
     * @return whether the signal has come
     */
    public boolean isReceived() {
        return received.getCount() == 0;
    }

    /**
     * Waits for the signal.
     *
     * @param atMost how long
     * @return whether the work is to end
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean await(Duration atMost) throws InterruptedException {
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
