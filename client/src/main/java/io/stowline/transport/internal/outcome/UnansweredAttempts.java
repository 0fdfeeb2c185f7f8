package io.stowline.transport.internal.outcome;

import io.stowline.retry.Deadline;
import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The attempts of a call that may have been carried out although their answer was lost, and until when they may yet be (OUTCOME-0). Attempts
 * follow each other; what is known of them may be read by anybody.
 */
@SuppressWarnings("NonAtomicVolatileUpdate")
public // one attempt at a time
final class UnansweredAttempts {

    private volatile int count;
    private volatile int inherited;
    private volatile @Nullable Stopwatch firstSent;
    private volatile @Nullable Stopwatch lastSent;
    private volatile long allowed;
    private volatile long horizon;

    /** An attempt goes out, and may be carried out for so many nanoseconds after its last byte. */
    public void sending(long nanos, Scheduler timer) {
        Stopwatch now = Stopwatch.start(timer);
        lastSent = now;
        if (firstSent == null) {
            firstSent = now;
        }
        allowed = nanos;
    }

    /** The answer to the attempt is lost; its last byte left then. */
    public void lost(long lastByte) {
        long end = lastByte + allowed;
        horizon = count == 0 || end - horizon > 0 ? end : horizon;
        count++;
    }

    /** An earlier process has sent the call, at this time at the earliest, and it may be carried out until then. */
    public void inherit(Stopwatch first, long until) {
        count = 1;
        inherited = 1;
        firstSent = first;
        horizon = until;
    }

    public int count() {
        return count;
    }

    /** How many of them are an earlier process's. */
    public int inherited() {
        return inherited;
    }

    /** How long after its last byte the attempt that went out last may be carried out. */
    public Duration allowed() {
        return Duration.ofNanos(allowed);
    }

    public UnresolvedAttempts unresolved(Scheduler timer, Deadline deadline) {
        return unresolved(timer, deadline, count, horizon);
    }

    /** The same once it shows that the answer which has just come cannot be read: it is lost like the others. */
    public UnresolvedAttempts unread(Scheduler timer, Deadline deadline) {
        long end = timer.now(TimeUnit.NANOSECONDS) + allowed;
        return unresolved(timer, deadline, count + 1, count == 0 || end - horizon > 0 ? end : horizon);
    }

    private UnresolvedAttempts unresolved(Scheduler timer, Deadline deadline, int lost, long over) {
        Stopwatch first = firstSent;
        Stopwatch last = lastSent;
        Stopwatch now = Stopwatch.start(timer);
        return new UnresolvedAttempts(
                timer, deadline, lost, first == null ? now : first, over, last == null ? now : last);
    }
}
