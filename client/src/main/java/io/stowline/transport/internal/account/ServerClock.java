package io.stowline.transport.internal.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clock that requests are dated by: this machine's, corrected once it is known to be so far off that the service refuses its
 * signatures. The service takes requests that are at most 15 minutes old (its page "Authorize with Shared Key"). Thread-safe.
 */
public final class ServerClock {

    private static final Duration TOLERANCE = Duration.ofMinutes(15);
    private static final long NANOS_BETWEEN_COMPARISONS = Duration.ofMinutes(1).toNanos();

    private final Clock local;
    private volatile Duration offset = Duration.ZERO;
    private volatile @Nullable ClockComparison compared;

    /** A comparison of this machine's clock with the service's, and its time. */
    private record ClockComparison(Duration skew, long at) {}

    public ServerClock(Clock local) {
        this.local = local;
    }

    /** Returns whether the service takes a signature whose date is off by this time. */
    public static boolean tolerates(Duration off) {
        return off.abs().compareTo(TOLERANCE) <= 0;
    }

    public Instant now() {
        return local.instant().plus(offset);
    }

    /** Returns whether the last comparison is a minute old; by the clock of waits. */
    public boolean comparesAt(long nanos) {
        ClockComparison last = compared;
        return last == null || nanos - last.at >= NANOS_BETWEEN_COMPARISONS;
    }

    /**
     * Compares this machine's clock with the service's.
     *
     * @param date the service's time in a response that has just come, or {@code null} if it lacks it
     * @param nanos the time by the clock of waits
     */
    public void compare(@Nullable Instant date, long nanos) {
        if (date != null) {
            compared =
                    new ClockComparison(Duration.between(local.instant().truncatedTo(ChronoUnit.SECONDS), date), nanos);
        }
    }

    /** Returns how far the service's clock was ahead of this machine's at the last comparison, to the second; zero before. */
    public Duration skew() {
        ClockComparison last = compared;
        return last == null ? Duration.ZERO : last.skew;
    }

    /**
     * Takes the service's time from a response that refused a signature. The signed time counts: requests in flight
     * during a correction by another one were signed without it.
     *
     * @return the error of this machine's clock, if it explains the refusal and is now corrected; otherwise {@code null}
     */
    public @Nullable Duration learn(Instant signed, @Nullable Instant serverDate) {
        if (serverDate == null || tolerates(Duration.between(signed, serverDate))) {
            return null;
        }
        Duration off = Duration.between(local.instant(), serverDate);
        offset = off;
        return off;
    }
}
