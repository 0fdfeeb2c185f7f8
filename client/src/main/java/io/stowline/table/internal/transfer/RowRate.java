package io.stowline.table.internal.transfer;

import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** The bound of a transfer's rows per second, without a burst at its start. Thread-safe. */
final class RowRate {

    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);

    private final OptionalInt perSecond;
    private final TableService service;
    private long next;

    RowRate(OptionalInt perSecond, TableService service) {
        this.perSecond = perSecond;
        this.service = service;
        this.next = service.timer().now(TimeUnit.NANOSECONDS);
    }

    /** Waits until these rows may follow. */
    void take(int rows) {
        if (perSecond.isEmpty()) {
            return;
        }
        long wait = reserve(rows);
        if (wait >= SHORTEST) {
            BlockingAwait.on(service.pause(Duration.ofNanos(wait)));
        }
    }

    private synchronized long reserve(int rows) {
        long now = service.timer().now(TimeUnit.NANOSECONDS);
        next = Math.max(next, now) + rows * TimeUnit.SECONDS.toNanos(1) / perSecond.orElseThrow();
        return next - now;
    }
}
