package io.stowline.records.internal.engine;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/** A scheduler whose tasks run when a test says so, in the order of their times. The disposal of the scheduler ends nothing. */
final class ManualScheduler implements Scheduler, Executor {

    private static final Comparator<Task> ORDER =
            Comparator.<Task>comparingLong(task -> task.at).thenComparingLong(task -> task.number);

    private final PriorityQueue<Task> tasks = new PriorityQueue<>(ORDER);
    private long now;
    private long numbers;

    private static final class Task implements Disposable {

        private final Runnable work;
        private final long at;
        private final long number;
        private boolean disposed;

        Task(Runnable work, long at, long number) {
            this.work = work;
            this.at = at;
            this.number = number;
        }

        @Override
        public void dispose() {
            disposed = true;
        }

        @Override
        public boolean isDisposed() {
            return disposed;
        }
    }

    @Override
    public long now(TimeUnit unit) {
        return unit.convert(now, TimeUnit.NANOSECONDS);
    }

    long nanos() {
        return now;
    }

    @Override
    public void execute(Runnable task) {
        schedule(task);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        Task made = new Task(task, now + Math.max(0, unit.toNanos(delay)), numbers++);
        tasks.add(made);
        return made;
    }

    @Override
    public Worker createWorker() {
        return workerOf(this);
    }

    private static Worker workerOf(Scheduler scheduler) {
        return new Worker() {
            private boolean disposed;

            @Override
            public Disposable schedule(Runnable task) {
                return schedule(task, 0, TimeUnit.NANOSECONDS);
            }

            @Override
            public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
                return scheduler.schedule(
                        () -> {
                            if (!disposed) {
                                task.run();
                            }
                        },
                        delay,
                        unit);
            }

            @Override
            public void dispose() {
                disposed = true;
            }
        };
    }

    @Override
    public void dispose() {}

    /** Returns a view whose tasks run as long as a process lives, after chosen delays. */
    Scheduler whileAlive(BooleanSupplier alive, LongSupplier delays) {
        return new Process(alive, delays);
    }

    private final class Process implements Scheduler {

        private final BooleanSupplier alive;
        private final LongSupplier delays;

        Process(BooleanSupplier alive, LongSupplier delays) {
            this.alive = alive;
            this.delays = delays;
        }

        @Override
        public Disposable schedule(Runnable task) {
            return schedule(task, 0, TimeUnit.NANOSECONDS);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return ManualScheduler.this.schedule(
                    () -> {
                        if (alive.getAsBoolean()) {
                            task.run();
                        }
                    },
                    unit.toNanos(delay) + delays.getAsLong(),
                    TimeUnit.NANOSECONDS);
        }

        @Override
        public Worker createWorker() {
            return workerOf(this);
        }

        @Override
        public void dispose() {}
    }

    /** Runs the next task if its time is not after this one; returns false if there is none. */
    boolean runNext(long until) {
        Task first = tasks.peek();
        while (first != null && first.disposed) {
            tasks.remove();
            first = tasks.peek();
        }
        if (first == null || first.at > until) {
            return false;
        }
        tasks.remove();
        now = Math.max(now, first.at);
        first.disposed = true;
        first.work.run();
        return true;
    }

    void advance(Duration duration) {
        long until = now + duration.toNanos();
        while (runNext(until)) {}
        now = until;
    }
}
