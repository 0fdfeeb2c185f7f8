package io.stowline.transport.internal.http;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Virtual time whose tasks run on the thread that plays. A task of another thread, such as a journal's, waits until the play goes on:
 * {@link VirtualTimeScheduler} loses a task that comes in between its look at the queue and its removal.
 */
public final class PlayTime implements Scheduler, Executor {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Thread player = Thread.currentThread();
    private final Queue<Runnable> arrivals = new ConcurrentLinkedQueue<>();

    /** Runs what other threads have handed over and is due; false when there was nothing. */
    public boolean goOn() {
        boolean any = false;
        for (Runnable arrival = arrivals.poll(); arrival != null; arrival = arrivals.poll()) {
            arrival.run();
            any = true;
        }
        return any;
    }

    /** Lets time pass. */
    public void advanceTimeBy(Duration duration) {
        goOn();
        time.advanceTimeBy(duration);
    }

    @Override
    public long now(TimeUnit unit) {
        return time.now(unit);
    }

    @Override
    public void execute(Runnable task) {
        if (Thread.currentThread() == player) {
            task.run();
        } else {
            arrivals.add(task);
        }
    }

    @Override
    public Disposable schedule(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        Disposable.Swap scheduled = Disposables.swap();
        execute(() -> {
            if (!scheduled.isDisposed()) {
                scheduled.update(time.schedule(task, delay, unit));
            }
        });
        return scheduled;
    }

    @Override
    public Worker createWorker() {
        return new PlayWorker(this, Disposables.composite());
    }

    private record PlayWorker(PlayTime time, Disposable.Composite tasks) implements Worker {

        @Override
        public Disposable schedule(Runnable task) {
            return schedule(task, 0, TimeUnit.NANOSECONDS);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            Disposable scheduled = time.schedule(task, delay, unit);
            tasks.add(scheduled);
            return scheduled;
        }

        @Override
        public void dispose() {
            tasks.dispose();
        }

        @Override
        public boolean isDisposed() {
            return tasks.isDisposed();
        }
    }
}
