package io.stowline.blob.internal.lease;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * The two clocks and the timer of one machine in a story: it stalls, its wall clock jumps, its monotonic clock stands still while it sleeps, and
 * nothing runs once it is dead.
 */
final class MachineTime implements Scheduler {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Scheduler time;
    private long stalledUntil;
    private long slept;
    private long wallOffset;
    private boolean dead;

    MachineTime(Scheduler time) {
        this.time = time;
    }

    void kill() {
        dead = true;
    }

    boolean isAwake() {
        return !dead && shared() >= stalledUntil;
    }

    /** Runs no task for so long; both clocks go on. */
    void stall(Duration length) {
        stalledUntil = Math.max(stalledUntil, shared() + length.toNanos());
    }

    /** Runs no task for so long; the monotonic clock and with it the timer stand still. */
    void sleep(Duration length) {
        stall(length);
        slept += length.toNanos();
    }

    void wallClockJumps(Duration by) {
        wallOffset += by.toMillis();
    }

    private long shared() {
        return time.now(TimeUnit.NANOSECONDS);
    }

    @Override
    public long now(TimeUnit unit) {
        return unit == TimeUnit.NANOSECONDS ? shared() - slept : time.now(unit) + wallOffset;
    }

    @Override
    public Disposable schedule(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        Disposable.Swap handle = Disposables.swap();
        schedule(task, unit.toNanos(delay), slept, handle);
        return handle;
    }

    private void schedule(Runnable task, long nanos, long sleptBefore, Disposable.Swap handle) {
        handle.update(time.schedule(
                () -> {
                    long late = Math.max(stalledUntil - shared(), slept - sleptBefore);
                    if (dead || handle.isDisposed()) {
                        return;
                    }
                    if (late > 0) {
                        schedule(task, late, slept, handle);
                    } else {
                        task.run();
                    }
                },
                nanos,
                TimeUnit.NANOSECONDS));
    }

    @Override
    public Worker createWorker() {
        throw new UnsupportedOperationException("a machine needs no worker");
    }

    @Override
    public void dispose() {
        kill();
    }

    /** Returns its wall clock. */
    Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return START.plusMillis(now(TimeUnit.MILLISECONDS));
            }
        };
    }
}
