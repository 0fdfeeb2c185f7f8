package io.stowline.retry.internal.timeout;

import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The times at which a lease is renewed: at its half, and after a failure as often as fits into its certain rest. Leases of messages and of
 * blobs share them.
 */
public final class RenewalTimes {

    /** The service may end a lease a little early, as its clocks differ. */
    public static final Duration MARGIN = Duration.ofSeconds(1);

    private static final Backoff BETWEEN = Backoff.interactive();
    private static final Duration MAX_ATTEMPT = Duration.ofSeconds(5);
    private static final Duration SHORTEST_ATTEMPT = Duration.ofSeconds(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration MIN_TIME = Duration.ofMillis(500);

    private RenewalTimes() {}

    /** Returns the shorter of two times. */
    public static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** Returns the longer of two times. */
    public static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Returns whether a time is zero or less. */
    public static boolean isOut(Duration time) {
        return time.isZero() || time.isNegative();
    }

    /**
     * Returns the time until half of a lease has passed.
     *
     * @param left its certain rest
     * @param lease its whole time
     * @return the time, zero or less once it has passed
     */
    public static Duration untilHalf(Duration left, Duration lease) {
        return left.plus(MARGIN).minusNanos(lease.toNanos() / 2);
    }

    /** Returns whether this certain rest of a lease leaves time for another renewal. */
    public static boolean isEnough(Duration left) {
        return left.compareTo(MIN_TIME) >= 0;
    }

    /** Returns the time of one attempt, so that a lost response leaves time for others. */
    public static Duration attempt(Duration left) {
        return shorter(left, shorter(longer(left.dividedBy(3), SHORTEST_ATTEMPT), MAX_ATTEMPT));
    }

    /** Returns the time of an ending, which is tried once even after the certain end. */
    public static Duration ending(Duration left) {
        return longer(left, SHORTEST_ATTEMPT);
    }

    /** Returns the wait after so many failures: at most half of the time in which another attempt can begin. */
    public static Duration pause(Duration left, int failures, RandomGenerator random) {
        Duration half = left.minus(MIN_TIME).dividedBy(2);
        return shorter(BETWEEN.delay(failures, random), longer(half, SHORTEST_PAUSE));
    }
}
