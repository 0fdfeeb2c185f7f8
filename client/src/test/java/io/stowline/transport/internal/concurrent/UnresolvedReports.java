package io.stowline.transport.internal.concurrent;

import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Doubts for tests. */
public final class UnresolvedReports {

    private UnresolvedReports() {}

    /** Returns so many attempts without a response, the first of them sent 10 s ago. */
    public static UnresolvedAttempts of(int unanswered, boolean over) {
        VirtualTimeScheduler timer = VirtualTimeScheduler.create();
        Deadline deadline = Deadline.in(Duration.ofMinutes(2), timer);
        timer.advanceTimeBy(Duration.ofSeconds(10));
        Stopwatch first = Stopwatch.start(timer).startedEarlier(Duration.ofSeconds(10));
        return new UnresolvedAttempts(timer, deadline, unanswered, first, TimeUnit.SECONDS.toNanos(over ? 10 : 35));
    }

    /**
     * Returns so many attempts without a response, all of them sent now on a machine of this clock, and over in 35 s.
     */
    public static UnresolvedAttempts of(Scheduler machine, int unanswered) {
        long horizon = machine.now(TimeUnit.NANOSECONDS) + TimeUnit.SECONDS.toNanos(35);
        Deadline deadline = Deadline.in(Duration.ofMinutes(2), machine);
        return new UnresolvedAttempts(machine, deadline, unanswered, Stopwatch.start(machine), horizon);
    }
}
