package io.stowline.queue.internal.body;

import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The time in which the bodies of messages are read from their blobs. It is a part of the lease, so that messages with late bodies do not cost
 * the others theirs. Immutable.
 */
public final class ReadingTime {

    private static final int PARTS = 3;

    private final Duration whole;
    private final Deadline end;
    private final Scheduler timer;

    private ReadingTime(Duration whole, Deadline end, Scheduler timer) {
        this.whole = whole;
        this.end = end;
        this.timer = timer;
    }

    /** Returns a time that begins now. */
    static ReadingTime of(Duration time, Scheduler timer) {
        return new ReadingTime(time, Deadline.in(time, timer), timer);
    }

    /** Returns the part of a lease that bodies may take. */
    public static Duration within(Duration lease) {
        return lease.dividedBy(PARTS);
    }

    /** Returns the work with a limit: it is cancelled and fails when the time is over. */
    <R> Mono<R> limit(Mono<R> work) {
        return Mono.defer(() -> end.expired() ? late() : work.timeout(end.remaining(), late(), timer));
    }

    private <R> Mono<R> late() {
        return Mono.error(() -> new TimeoutException("it was not read within " + whole));
    }
}
