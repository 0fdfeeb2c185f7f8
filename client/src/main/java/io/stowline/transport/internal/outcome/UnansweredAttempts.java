package io.stowline.transport.internal.outcome;

import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The attempts of a call that may have been carried out although their response was lost, with the end of that time
 * (OUTCOME-0). Attempts follow each other; any thread may read the facts.
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

    /**
     * Records an attempt that goes out, and may be carried out for so many nanoseconds after its last byte.
     *
     * @param now the present time of the timer, in nanoseconds
     */
    public void sending(long nanos, long now, Scheduler timer) {
        Stopwatch sent = Stopwatch.startedAt(now, timer);
        lastSent = sent;
        if (firstSent == null) {
            firstSent = sent;
        }
        allowed = nanos;
    }

    /** Records that the response to the attempt is lost; its last byte left then. */
    public void lost(long lastByte) {
        long end = lastByte + allowed;
        horizon = count == 0 || end - horizon > 0 ? end : horizon;
        count++;
    }

    /**
     * Records that an earlier process has sent the call, at this time at the earliest, and that it may be carried out
     * until then.
     */
    public void inherit(Stopwatch first, long until) {
        count = 1;
        inherited = 1;
        firstSent = first;
        horizon = until;
    }

    public int count() {
        return count;
    }

    /** Returns the number of attempts of an earlier process. */
    public int inherited() {
        return inherited;
    }

    /** Returns the time for which the last attempt may be carried out after its last byte. */
    public Duration allowed() {
        return Duration.ofNanos(allowed);
    }

    public UnresolvedAttempts unresolved(Scheduler timer, Deadline deadline) {
        return unresolved(timer, deadline, count, horizon);
    }

    /** Returns the unresolved attempts with the last one, whose response came but cannot be read: it counts as lost. */
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
