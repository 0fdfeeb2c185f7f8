package io.stowline.transport.internal.outcome;

import io.stowline.outcome.Evidence;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The unresolved attempts of a write: the number of those without a response, and the time until which they may still be carried out.
 * An attempt is over for good at its <em>horizon</em>: when its server time-out, and the grace, have passed since its
 * last byte.
 *
 * @param deadline the time at which the operation is given up, read-backs included
 * @param lastSent a time before the attempt was sent that ended last: the one with the response, if one came
 * @param tolerance the largest difference between the clocks of the service's machines
 * @param persistent whether failed read-backs are repeated until the deadline, not until the horizon only
 */
public record UnresolvedAttempts(
        Scheduler timer,
        Deadline deadline,
        int unanswered,
        Stopwatch firstSent,
        long horizon,
        Stopwatch lastSent,
        Duration tolerance,
        boolean persistent) {

    /**
     * The default of the largest difference between the clocks of the service's machines: a response's Date and an
     * entity's Timestamp are of different ones.
     */
    public static final Duration TOLERANCE = Duration.ofSeconds(2);

    public UnresolvedAttempts(Scheduler timer, Deadline deadline, int unanswered, Stopwatch firstSent, long horizon) {
        this(timer, deadline, unanswered, firstSent, horizon, firstSent);
    }

    UnresolvedAttempts(
            Scheduler timer, Deadline deadline, int unanswered, Stopwatch firstSent, long horizon, Stopwatch lastSent) {
        this(timer, deadline, unanswered, firstSent, horizon, lastSent, TOLERANCE, true);
    }

    /** Sets the largest difference between the clocks of the service's machines. */
    public UnresolvedAttempts tolerating(Duration other) {
        return other.equals(tolerance)
                ? this
                : new UnresolvedAttempts(timer, deadline, unanswered, firstSent, horizon, lastSent, other, persistent);
    }

    /** Sets whether failed read-backs are repeated until the deadline, or, without retries, until the horizon only. */
    public UnresolvedAttempts persisting(boolean untilDeadline) {
        return untilDeadline == persistent
                ? this
                : new UnresolvedAttempts(
                        timer, deadline, unanswered, firstSent, horizon, lastSent, tolerance, untilDeadline);
    }

    /**
     * Returns whether a failed read-back is worth repeating.
     *
     * @return whether to read back again while the deadline leaves time
     */
    public boolean readsBackAgain() {
        return persistent || !isOver();
    }

    /**
     * Returns whether any attempt may have been carried out although its response was lost.
     *
     * @return whether any attempt is unresolved
     */
    public boolean any() {
        return unanswered > 0;
    }

    /**
     * Returns whether a write that is known to have been carried out may have been so twice, or may yet be.
     *
     * @param evidence how it is known: by the response of an attempt besides the unanswered ones, by the marker that one of these has
     *     left, or by the content alone, which none of these need have written
     * @return whether its effect may come more than once
     */
    public boolean mayRepeat(Evidence evidence) {
        return switch (evidence) {
            case RESPONSE -> any();
            case MARKER -> unanswered > 1;
            case CONTENT -> unanswered > 1 || !isOver();
        };
    }

    /** Returns the unresolved attempts of a call that made both requests. */
    public UnresolvedAttempts and(UnresolvedAttempts other) {
        if (!any() || !other.any()) {
            return any()
                    ? new UnresolvedAttempts(
                            timer, deadline, unanswered, firstSent, horizon, other.lastSent, tolerance, persistent)
                    : other;
        }
        return new UnresolvedAttempts(
                timer,
                deadline,
                unanswered + other.unanswered,
                firstSent.earliest(other.firstSent),
                other.horizon - horizon > 0 ? other.horizon : horizon,
                other.lastSent,
                tolerance,
                persistent || other.persistent);
    }

    /**
     * Returns whether all attempts are over.
     *
     * @return whether the horizon has passed
     */
    public boolean isOver() {
        return timeUntilSettled().isZero();
    }

    /**
     * Returns the time for which an attempt may still be carried out.
     *
     * @return the time until the horizon, zero once it has passed
     */
    public Duration timeUntilSettled() {
        return any() ? Duration.ofNanos(Math.max(0, horizon - timer.now(TimeUnit.NANOSECONDS))) : Duration.ZERO;
    }

    /**
     * Returns whether something was certainly written before the first attempt was sent.
     *
     * @param written when it was written, by the service's clock, or {@code null} if the response lacks it
     * @param date the service's clock in the response that has just come, or {@code null} if it gave none
     * @return whether that is certain
     */
    public boolean isYoungerThan(@Nullable Instant written, @Nullable Instant date) {
        if (written == null || date == null) {
            return false;
        }
        return written.isBefore(date.minus(firstSent.age()).minus(tolerance));
    }
}
