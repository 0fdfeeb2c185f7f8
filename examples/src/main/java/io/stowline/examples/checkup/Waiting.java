package io.stowline.examples.checkup;

import io.stowline.examples.shared.JobFailedException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A wait for other threads, which ends in time. */
final class Waiting {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PAUSE_MILLIS = 20;

    private Waiting() {}

    static void until(String event, BooleanSupplier happened) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new JobFailedException("no " + event + " within " + PATIENCE.toSeconds() + " s");
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
