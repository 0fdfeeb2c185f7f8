package io.stowline.retry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/** A scheduler whose time moves only when a test says so, and which tells how many timers are running. */
public final class ManualTimer implements Scheduler {

    private final class Task implements Disposable {

        private final Runnable work;
        private final long due;
        private boolean disposed;

        Task(Runnable work, long due) {
            this.work = work;
            this.due = due;
        }

        @Override
        public void dispose() {
            disposed = true;
            tasks.remove(this);
        }

        @Override
        public boolean isDisposed() {
            return disposed;
        }
    }

    private final List<Task> tasks = new ArrayList<>();
    private long now;
    private int started;
    private int readings;
    private boolean refusing;
    private boolean firingAtOnce;
    private Runnable whileStarting = () -> {};

    public ManualTimer() {
        this(0);
    }

    public ManualTimer(long now) {
        this.now = now;
    }

    /** Moves the time and runs what falls due, each task at its own time. */
    public void advance(Duration time) {
        long end = now + time.toNanos();
        for (Task next = nextBy(end); next != null; next = nextBy(end)) {
            now += Math.max(0, next.due - now);
            tasks.remove(next);
            next.work.run();
        }
        now += Math.max(0, end - now);
    }

    /** Moves the time without running anything: a timer that is late. */
    public void stall(Duration time) {
        now += time.toNanos();
    }

    public int running() {
        return tasks.size();
    }

    public int started() {
        return started;
    }

    public void refuse() {
        refusing = true;
    }

    /** Runs tasks inside {@code schedule} from now on: a timer that fires before it has returned its handle. */
    public void fireAtOnce() {
        firingAtOnce = true;
    }

    /** Does this inside {@code schedule}, before it has returned its handle. */
    public void whileStarting(Runnable action) {
        whileStarting = action;
    }

    /** Returns how often the time was read. */
    public int readings() {
        return readings;
    }

    @Override
    public long now(TimeUnit unit) {
        readings++;
        return unit.convert(now, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        if (refusing) {
            throw new RejectedExecutionException("the timer is shut down");
        }
        started++;
        Task timer = new Task(task, now + unit.toNanos(delay));
        if (firingAtOnce) {
            now += Math.max(0, timer.due - now);
            task.run();
        } else {
            tasks.add(timer);
        }
        whileStarting.run();
        return timer;
    }

    @Override
    public Worker createWorker() {
        throw new UnsupportedOperationException("no workers");
    }

    private Task nextBy(long end) {
        return tasks.stream()
                .filter(task -> task.due - end <= 0)
                .min(Comparator.comparingLong(task -> task.due - now))
                .orElse(null);
    }
}
