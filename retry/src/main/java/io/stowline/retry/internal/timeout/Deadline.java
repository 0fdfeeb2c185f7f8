package io.stowline.retry.internal.timeout;

import io.stowline.retry.RetrySettings;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * The moment at which an operation is given up: all its attempts, waits and read-backs end by then.
 *
 * <p>The time is that of a Reactor scheduler, read in nanoseconds, so that a virtual clock serves in tests and the
 * wall clock may jump. Immutable and safe for use by many threads.
 */
public final class Deadline {

    /** Small enough that nanoseconds of sums stay exact. */
    private static final Duration MAX = Duration.ofDays(365);

    private final Scheduler clock;
    private final long end;

    private Deadline(Scheduler clock, long end) {
        this.clock = clock;
        this.end = end;
    }

    /**
     * Returns the deadline that lies this far ahead.
     *
     * @param time the time from now on, zero to 365 days
     * @param clock the scheduler that gives the time
     * @return the deadline
     * @throws IllegalArgumentException if the time is out of range
     */
    public static Deadline in(Duration time, Scheduler clock) {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(clock, "clock");
        checked("deadline", time);
        return new Deadline(clock, clock.now(TimeUnit.NANOSECONDS) + time.toNanos());
    }

    private static void checked(String name, Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(name + " must be at least " + Duration.ZERO + " but was " + time);
        }
        if (time.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(name + " must be at most " + MAX + " but was " + time);
        }
    }

    /**
     * Returns the time that is left.
     *
     * @return the time left, zero when it is over
     */
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    /**
     * Returns whether the deadline is over.
     *
     * @return whether no time is left
     */
    public boolean expired() {
        return remainingNanos() == 0;
    }

    /**
     * Returns the deadline that ends first; each is read on its own clock, now.
     *
     * @param other the other deadline
     * @return this or the other, this when both end together
     */
    public Deadline earlier(Deadline other) {
        return other.left() < left() ? other : this;
    }

    /**
     * Returns a deadline that ends earlier by this time, on the same clock.
     *
     * @param time the time to keep back, zero to 365 days
     * @return the earlier deadline
     * @throws IllegalArgumentException if the time is out of range
     */
    public Deadline minus(Duration time) {
        checked("time", time);
        return new Deadline(clock, end - time.toNanos());
    }

    /**
     * Returns the time that is left, in nanoseconds.
     *
     * @return the time, 0 when the deadline has passed
     */
    public long remainingNanos() {
        return Math.max(0, left());
    }

    /**
     * Returns the time that is left at this reading of a clock, in nanoseconds. A deadline on another clock, such as that of a standstill,
     * reads its clock.
     *
     * @return the time, 0 when the deadline had passed
     */
    long remainingNanosAt(long now, Scheduler read) {
        return read == clock ? Math.max(0, end - now) : remainingNanos();
    }

    /**
     * Returns the time in which the last attempt of an operation may start.
     *
     * @param settings the settings of the operation
     * @return the time left but for the reserve and the least attempt; negative once it has passed
     */
    public Duration untilLastStart(RetrySettings settings) {
        return remaining().minus(settings.reserve()).minus(settings.minAttempt());
    }

    /**
     * Returns whether an attempt of an operation may still start.
     *
     * @param settings the settings of the operation
     * @param now a reading of the clock
     * @param read the clock, which is read again only if it is not the deadline's
     */
    public boolean allowsStart(RetrySettings settings, long now, Scheduler read) {
        return remainingNanosAt(now, read)
                >= settings.reserve().toNanos() + settings.minAttempt().toNanos();
    }

    /** A difference of two clock readings, as the clock may start anywhere and wrap. */
    private long left() {
        return end - clock.now(TimeUnit.NANOSECONDS);
    }

    @Override
    public String toString() {
        return "Deadline[in " + remaining() + "]";
    }
}
