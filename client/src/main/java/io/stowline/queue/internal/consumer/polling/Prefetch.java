package io.stowline.queue.internal.consumer.polling;

import java.time.Duration;

/**
 * How many messages may wait unstarted: as many as the handlers get through in a quarter of the lease, 64 at most. The time of a handling is
 * its moving mean plus twice its moving deviation. Only in the serial executor.
 */
final class Prefetch {

    /** Two full receives: one in stock while the next one travels. */
    static final int MOST = 64;

    private static final double WEIGHT = 0.125;
    private static final double DEVIATIONS = 2;

    private final double quarterOfLease;
    private double mean = -1;
    private double deviation;

    Prefetch(Duration lease) {
        this.quarterOfLease = lease.toNanos() / 4.0;
    }

    /** A handler has returned after this time. */
    void measured(Duration time) {
        double nanos = (double) Math.max(1, time.toNanos());
        if (mean < 0) {
            mean = nanos;
            deviation = nanos / 2;
        } else {
            deviation += WEIGHT * (Math.abs(nanos - mean) - deviation);
            mean += WEIGHT * (nanos - mean);
        }
    }

    /** Messages waited in vain: the measured times no longer hold. */
    void reset() {
        mean = -1;
    }

    /** How many messages may wait while this number of messages is handled at a time. */
    int limit(int atOnce) {
        return mean < 0 ? 0 : (int) Math.min(MOST, atOnce * quarterOfLease / (mean + DEVIATIONS * deviation));
    }
}
