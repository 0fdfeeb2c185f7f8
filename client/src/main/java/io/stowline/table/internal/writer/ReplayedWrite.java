package io.stowline.table.internal.writer;

import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * The unresolved attempts of an operation that is sent once more: an earlier process had accepted it, so that it is
 * unresolved from the start, or an attempt of this process got no response. The earlier process is dead when another
 * one opens the journal, so that its last attempt went out before that moment. Thread-safe.
 */
final class ReplayedWrite {

    /** The most by which this machine's clock may have been set back since. */
    private static final Duration CLOCK = Duration.ofMinutes(5);

    private final Scheduler timer;
    private final Stopwatch first;
    private final boolean fence;
    private volatile long horizon;

    /**
     * Makes it at the moment at which it is read.
     *
     * @param opened when the journal was opened, by the timer's clock in nanoseconds
     * @param timer the clock
     */
    ReplayedWrite(JournalRecord record, long opened, Scheduler timer) {
        this.timer = timer;
        Duration age = Duration.between(record.written(), Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)));
        this.first = Stopwatch.start(timer).startedEarlier((age.isNegative() ? Duration.ZERO : age).plus(CLOCK));
        this.fence = record.fence();
        boolean over = fence && age.compareTo(record.allowed().plus(CLOCK)) > 0;
        this.horizon = opened + (over ? 0 : record.allowed().toNanos());
    }

    /**
     * Makes it of an operation of this process.
     *
     * @param first counts from before its first attempt
     * @param timeUntilSettled how long an attempt may still be carried out
     * @param timer the clock
     */
    ReplayedWrite(Stopwatch first, Duration timeUntilSettled, Scheduler timer) {
        this.timer = timer;
        this.first = first;
        this.fence = false;
        this.horizon = timer.now(TimeUnit.NANOSECONDS) + timeUntilSettled.toNanos();
    }

    /** Counts from when its first attempt can have gone out at the earliest. */
    Stopwatch first() {
        return first;
    }

    /** Returns whether it is not sent again: it has its result, and only an abandoned attempt may still arrive. */
    boolean isFence() {
        return fence;
    }

    /** Prolongs the horizon by one more attempt that may be carried out for so long. */
    synchronized void prolong(Duration timeUntilSettled) {
        long later = timer.now(TimeUnit.NANOSECONDS) + timeUntilSettled.toNanos();
        horizon = later - horizon > 0 ? later : horizon;
    }

    /** Returns the time for which an attempt may still be carried out. */
    Duration timeUntilSettled() {
        return Duration.ofNanos(Math.max(0, horizon - timer.now(TimeUnit.NANOSECONDS)));
    }
}
