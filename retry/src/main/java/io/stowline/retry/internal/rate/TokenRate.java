package io.stowline.retry.internal.rate;

import java.time.Duration;

/** A rate and a burst, and what they mean in the nanoseconds of a {@link TokenBucket}. */
record TokenRate(double perSecond, double burst) {

    private static final double NANOS = 1e9;
    private static final double LEAST = 0.001;
    private static final double MOST = 1e9;

    TokenRate {
        between("rate", perSecond, LEAST, MOST);
        between("burst", burst, 0, perSecond * Duration.ofDays(1).toSeconds());
    }

    long capacity() {
        return (long) Math.ceil(burst / perSecond * NANOS);
    }

    /** Rounded up, so that no sum of small weights exceeds the rate. */
    long cost(double weight) {
        between("weight", weight, 0, perSecond * Duration.ofDays(1).toSeconds());
        return (long) Math.ceil(weight / perSecond * NANOS);
    }

    private static void between(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + most + " but was " + value);
        }
    }
}
