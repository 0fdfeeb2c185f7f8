package io.stowline.queue.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The two clocks of a machine that can sleep: then only the wall clock goes on, or is set. */
public final class SleepyClock implements Scheduler {

    private final VirtualTimeScheduler running = VirtualTimeScheduler.create();
    private Duration asleep = Duration.ZERO;

    /** Time passes on both clocks. */
    public void runs(Duration time) {
        running.advanceTimeBy(time);
    }

    /** The wall clock alone moves. */
    public void sleeps(Duration time) {
        asleep = asleep.plus(time);
    }

    @Override
    public long now(TimeUnit unit) {
        long awake = running.now(unit);
        return unit.compareTo(TimeUnit.MILLISECONDS) < 0 ? awake : awake + unit.convert(asleep);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return running.schedule(task);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        return running.schedule(task, delay, unit);
    }

    @Override
    public Worker createWorker() {
        return running.createWorker();
    }
}
