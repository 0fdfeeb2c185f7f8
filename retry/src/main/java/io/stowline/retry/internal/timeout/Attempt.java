package io.stowline.retry.internal.timeout;

import io.stowline.retry.RetrySettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * One attempt of an operation, as its sender sees it: its number, its times and what came before.
 *
 * <p>Each getter computes its time when called, so that after a wait for a permit it reflects the time left. With r for the time left but
 * for the reserve, the client waits {@code c = min(attemptTimeout, r)} and the server is given whole seconds of {@code min(serverTimeout, c
 * - grace)}, at least one: a shortened attempt ends on both sides.
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class Attempt {

    private static final long SHORTEST_SERVER_TIMEOUT = 1;

    private final RetrySettings settings;
    private final Deadline deadline;
    private final int number;
    private final AttemptLog log;

    /**
     * Describes one attempt of an operation.
     *
     * @param settings the settings of the operation
     * @param deadline the deadline of the operation
     * @param number 1 for the first attempt
     * @param log the attempts before it
     */
    public Attempt(RetrySettings settings, Deadline deadline, int number, AttemptLog log) {
        this.settings = settings;
        this.deadline = deadline;
        this.number = number;
        this.log = log;
    }

    /**
     * Returns the first attempt of an operation that is sent without a retry engine.
     *
     * @param settings the settings
     * @param deadline the operation's deadline
     * @return the attempt
     */
    public static Attempt first(RetrySettings settings, Deadline deadline) {
        return new Attempt(settings, deadline, 1, AttemptLog.EMPTY);
    }

    /**
     * Returns the number of the attempt.
     *
     * @return the number, 1 for the first
     */
    public int number() {
        return number;
    }

    /**
     * Returns the operation's deadline, reserve included.
     *
     * @return the deadline
     */
    public Deadline deadline() {
        return deadline;
    }

    /**
     * Returns the moment by which the attempt must have started so that it has time to finish: waiting for a permit
     * ends then.
     *
     * @return the deadline less the reserve and the least attempt
     */
    public Deadline startBy() {
        return deadline.minus(settings.reserve()).minus(settings.minAttempt());
    }

    /**
     * Returns the server timeout of the attempt, if it were sent now.
     *
     * @return whole seconds, at least 1 s
     */
    public Duration serverTimeout() {
        return Duration.ofSeconds(serverSeconds(deadline.remainingNanos()));
    }

    /** Returns {@link #serverTimeout()} in seconds, if it were sent at this reading of a clock. */
    public long serverSecondsAt(long now, Scheduler clock) {
        return serverSeconds(deadline.remainingNanosAt(now, clock));
    }

    private long serverSeconds(long remaining) {
        long shared = Math.min(
                settings.serverTimeout().toNanos(),
                clientNanos(remaining) - settings.grace().toNanos());
        return Math.max(SHORTEST_SERVER_TIMEOUT, TimeUnit.NANOSECONDS.toSeconds(shared));
    }

    /**
     * Returns the time after which the client cancels the attempt, if it were sent now.
     *
     * @return the time, zero when none is left
     */
    public Duration clientTimeout() {
        return Duration.ofNanos(clientNanos(deadline.remainingNanos()));
    }

    /**
     * Returns whether an earlier attempt of the operation may have been applied although its response was lost.
     *
     * @return whether one of them was ambiguous
     */
    public boolean previousAmbiguous() {
        return log.anyAmbiguous();
    }

    /**
     * Returns the facts of the earlier attempts, as of the start of this one.
     *
     * @return the log, empty for the first attempt
     */
    public AttemptLog log() {
        return log;
    }

    /** Returns {@link #clientTimeout()} in nanoseconds, if it were sent at this reading of a clock. */
    long clientNanosAt(long now, Scheduler clock) {
        return clientNanos(deadline.remainingNanosAt(now, clock));
    }

    private long clientNanos(long remaining) {
        long left = remaining - settings.reserve().toNanos();
        return Math.max(0, Math.min(settings.attemptTimeout().toNanos(), left));
    }

    @Override
    public String toString() {
        return "Attempt[" + number + ", " + deadline + "]";
    }
}
