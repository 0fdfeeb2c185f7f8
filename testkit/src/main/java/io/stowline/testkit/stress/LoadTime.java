package io.stowline.testkit.stress;

import java.util.concurrent.TimeUnit;

/** The time of a stress test. */
interface LoadTime {

    /** The clock of the machine. */
    LoadTime SYSTEM = new LoadTime() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
        }
    };

    long nanoTime();

    void sleep(long nanos) throws InterruptedException;
}
