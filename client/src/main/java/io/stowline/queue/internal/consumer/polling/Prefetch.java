package io.stowline.queue.internal.consumer.polling;

import java.time.Duration;

/**
 * The number of messages that may wait unstarted: as many as the handlers get through in a quarter of the lease, 64 at
 * most. The time of a handling is its moving mean plus twice its moving deviation. Only in the serial executor.
 */
final class Prefetch {

    /** Two full receives: one in stock while the next one travels. */
    static final int MAX = 64;

    private static final double WEIGHT = 0.125;
    private static final double DEVIATIONS = 2;

    private final double quarterOfLease;
    private double mean = -1;
    private double deviation;

    Prefetch(Duration lease) {
        this.quarterOfLease = lease.toNanos() / 4.0;
    }

    /** Takes the time of a handling. */
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

    /** Forgets the measured times, after messages have waited in vain. */
    void reset() {
        mean = -1;
    }

    /** Returns the number of messages that may wait while this many are handled at a time. */
    int limit(int atOnce) {
        return mean < 0 ? 0 : (int) Math.min(MAX, atOnce * quarterOfLease / (mean + DEVIATIONS * deviation));
    }
}
