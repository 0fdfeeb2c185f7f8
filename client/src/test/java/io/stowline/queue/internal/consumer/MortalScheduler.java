package io.stowline.queue.internal.consumer;

import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** The time of a process: it ends with the process, and while the process stalls nothing runs. */
final class MortalScheduler implements Scheduler {

    private final Scheduler time;
    private long stalledUntil;
    private boolean dead;

    MortalScheduler(Scheduler time) {
        this.time = time;
    }

    /** Ends the process: none of its tasks runs from now on. */
    void kill() {
        dead = true;
    }

    boolean isDead() {
        return dead;
    }

    /** Returns whether its tasks run. */
    boolean isAwake() {
        return !dead && now(TimeUnit.NANOSECONDS) >= stalledUntil;
    }

    /** Runs no task for so long, such as during a collection of garbage. */
    void stall(long nanos) {
        stalledUntil = Math.max(stalledUntil, now(TimeUnit.NANOSECONDS) + nanos);
    }

    @Override
    public long now(TimeUnit unit) {
        return time.now(unit);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        Disposable.Swap handle = Disposables.swap();
        schedule(task, unit.toNanos(delay), handle);
        return handle;
    }

    private void schedule(Runnable task, long nanos, Disposable.Swap handle) {
        handle.update(time.schedule(
                () -> {
                    long late = stalledUntil - now(TimeUnit.NANOSECONDS);
                    if (dead || handle.isDisposed()) {
                        return;
                    }
                    if (late > 0) {
                        schedule(task, late, handle);
                    } else {
                        task.run();
                    }
                },
                nanos,
                TimeUnit.NANOSECONDS));
    }

    @Override
    public Worker createWorker() {
        throw new UnsupportedOperationException("a consumer needs no worker");
    }

    @Override
    public void dispose() {
        kill();
    }
}
