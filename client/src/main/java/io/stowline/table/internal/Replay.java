package io.stowline.table.internal;

import io.stowline.transport.internal.Stopwatch;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * What is not known of an operation that is sent once more: an earlier process had accepted it, so that it is in doubt from the start, or
 * an attempt of this one got no answer. The process that opens the journal knows that the earlier one is dead, so that its last attempt
 * went out before that moment. Thread-safe.
 */
final class Replay {

    /** How far back this machine's clock may have been set since. */
    private static final Duration CLOCK = Duration.ofMinutes(5);

    private final Scheduler timer;
    private final Stopwatch first;
    private volatile long horizon;

    /**
     * Makes it at the moment at which it is read.
     *
     * @param record its record
     * @param opened when the journal was opened, by the timer's clock in nanoseconds
     * @param timer the clock
     */
    Replay(JournalRecord record, long opened, Scheduler timer) {
        this.timer = timer;
        Duration age = Duration.between(record.written(), Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)));
        this.first = Stopwatch.start(timer).startedEarlier((age.isNegative() ? Duration.ZERO : age).plus(CLOCK));
        this.horizon = opened + record.allowed().toNanos();
    }

    /**
     * Makes it of an operation of this process.
     *
     * @param first counts from before its first attempt
     * @param untilOver how long an attempt may still be carried out
     * @param timer the clock
     */
    Replay(Stopwatch first, Duration untilOver, Scheduler timer) {
        this.timer = timer;
        this.first = first;
        this.horizon = timer.now(TimeUnit.NANOSECONDS) + untilOver.toNanos();
    }

    /** Counts from when its first attempt can have gone out at the earliest. */
    Stopwatch first() {
        return first;
    }

    /** One more attempt may be carried out for so long. */
    synchronized void prolong(Duration untilOver) {
        long later = timer.now(TimeUnit.NANOSECONDS) + untilOver.toNanos();
        horizon = later - horizon > 0 ? later : horizon;
    }

    /** How long an attempt may still be carried out. */
    Duration untilOver() {
        return Duration.ofNanos(Math.max(0, horizon - timer.now(TimeUnit.NANOSECONDS)));
    }
}
