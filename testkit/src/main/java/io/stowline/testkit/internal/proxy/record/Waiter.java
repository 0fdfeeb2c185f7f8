package io.stowline.testkit.internal.proxy.record;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The time of a proxy: what its holds and delays wait by. */
public interface Waiter {

    /** The time of this machine. */
    Waiter REAL = new Waiter() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public boolean await(CountDownLatch gate, long nanos) throws InterruptedException {
            return gate.await(nanos, TimeUnit.NANOSECONDS);
        }
    };

    /**
     * Returns the time now.
     *
     * @return nanoseconds since some moment
     */
    long nanoTime();

    /**
     * Waits for a gate to open.
     *
     * @param nanos how long at most
     * @return whether it is open
     * @throws InterruptedException if the thread was interrupted, as when the proxy is closed
     */
    boolean await(CountDownLatch gate, long nanos) throws InterruptedException;
}
