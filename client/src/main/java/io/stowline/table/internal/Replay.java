package io.stowline.table.internal;

import io.stowline.error.StorageException;
import io.stowline.transport.internal.Stopwatch;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * An operation that an earlier process had accepted: it is in doubt from the start. Whoever opens the journal knows that the earlier
 * process is dead, so that its last attempt went out before that moment.
 */
final class Replay {

    /** How far back this machine's clock may have been set meanwhile. */
    private static final Duration CLOCK = Duration.ofMinutes(5);

    private final Scheduler timer;
    private final Stopwatch first;
    private final long horizon;
    private volatile boolean over;

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

    /** Counts from when its first attempt can have gone out at the earliest. */
    Stopwatch first() {
        return first;
    }

    /** Until when an attempt of the earlier process may be carried out. */
    long horizon() {
        return horizon;
    }

    Duration untilOver() {
        return Duration.ofNanos(Math.max(0, horizon - timer.now(TimeUnit.NANOSECONDS)));
    }

    /** It has its result, or the writer has given it up. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** Whether an end is one that another try could not change; the others are not told to anybody who could try again. */
    static boolean isFinal(StorageException error) {
        int status = error.failure().status();
        return status >= 400
                && status < 500
                && status != 408
                && status != 429
                && !Culprits.dooms(status, error.failure().errorCode());
    }
}
