package io.stowline.table.internal.transfer;

import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The bound of a transfer's rows per second, without a burst at its start. Thread-safe. */
final class RowRate {

    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);

    private final OptionalInt perSecond;
    private final Scheduler timer;
    private final Function<Duration, Mono<Long>> pause;
    private long next;

    /**
     * Begins with the first row.
     *
     * @param pause a pause, which closing the client ends
     */
    RowRate(OptionalInt perSecond, Scheduler timer, Function<Duration, Mono<Long>> pause) {
        this.perSecond = perSecond;
        this.timer = timer;
        this.pause = pause;
        this.next = timer.now(TimeUnit.NANOSECONDS);
    }

    /** Waits until these rows may follow. */
    void take(int rows) {
        if (perSecond.isEmpty()) {
            return;
        }
        long wait = reserve(rows);
        if (wait >= SHORTEST) {
            BlockingAwait.on(pause.apply(Duration.ofNanos(wait)));
        }
    }

    private synchronized long reserve(int rows) {
        long now = timer.now(TimeUnit.NANOSECONDS);
        next = Math.max(next, now) + rows * TimeUnit.SECONDS.toNanos(1) / perSecond.orElseThrow();
        return next - now;
    }
}
