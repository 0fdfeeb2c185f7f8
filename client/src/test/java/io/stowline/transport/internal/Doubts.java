package io.stowline.transport.internal;

import io.stowline.retry.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Doubts for tests. */
public final class Doubts {

    private Doubts() {}

    /** So many attempts without an answer, the first of them sent 10 s ago. */
    public static Doubt of(int unanswered, boolean over) {
        VirtualTimeScheduler timer = VirtualTimeScheduler.create();
        Deadline deadline = Deadline.in(Duration.ofMinutes(2), timer);
        timer.advanceTimeBy(Duration.ofSeconds(10));
        return new Doubt(timer, deadline, unanswered, 0, TimeUnit.SECONDS.toNanos(over ? 10 : 35));
    }
}
