package io.stowline.queue.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * How long a message is ours for certain, by this machine's own clock: from before the request that gave it was sent, for the time that it
 * asked for. An update voids it, for one whose answer is lost may have given the message another receipt. Thread-safe.
 */
public final class Tenure {

    /** The service may show a message a little early, "due to clock skew" (its page "Get Messages"). */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final Scheduler clock;
    private final long end;
    private volatile boolean contested;

    private Tenure(Scheduler clock, long end) {
        this.clock = clock;
        this.end = end;
    }

    /** The tenure that a request gives which is sent after this moment of the clock. */
    static Tenure of(Scheduler clock, long asked, Duration lease) {
        return new Tenure(clock, asked + lease.minus(MARGIN).toNanos());
    }

    /** Another receipt may hold from now on. */
    void contest() {
        contested = true;
    }

    /** Whether nobody else can have the message, and nothing else can have been done with its receipt. */
    boolean runs() {
        return !contested && clock.now(TimeUnit.NANOSECONDS) - end < 0;
    }
}
