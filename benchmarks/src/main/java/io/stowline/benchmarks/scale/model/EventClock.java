package io.stowline.benchmarks.scale.model;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * A virtual clock that jumps from event to event. Events of one moment run in the order of their scheduling. Used by one thread.
 */
public final class EventClock implements Scheduler {

    private static final double NANOS = 1e9;

    private ClockEvent[] heap = new ClockEvent[1 << 10];
    private int size;
    private long now;
    private long scheduled;

    private static final class ClockEvent implements Disposable {

        private final long at;
        private final long number;
        private Runnable task;
        private boolean disposed;

        ClockEvent(long at, long number, Runnable task) {
            this.at = at;
            this.number = number;
            this.task = task;
        }

        boolean isBefore(ClockEvent other) {
            return at < other.at || (at == other.at && number < other.number);
        }

        /** Stays in the heap until its time, without its task. */
        @Override
        public void dispose() {
            disposed = true;
            task = () -> {};
        }

        @Override
        public boolean isDisposed() {
            return disposed;
        }
    }

    /** Converts seconds to nanoseconds. */
    static long nanos(double seconds) {
        return Math.round(seconds * NANOS);
    }

    /** Returns the time in nanoseconds. */
    public long now() {
        return now;
    }

    /** Returns the time in seconds. */
    public double seconds() {
        return now / NANOS;
    }

    /** Runs a task at a time, or now if that has passed. */
    public void at(long nanos, Runnable task) {
        push(new ClockEvent(Math.max(now, nanos), scheduled++, task));
    }

    /** Runs all events until this time. */
    public void runUntil(double seconds) {
        long end = nanos(seconds);
        while (size > 0 && heap[0].at <= end) {
            ClockEvent next = pop();
            now = next.at;
            next.task.run();
        }
        now = end;
    }

    @Override
    public long now(TimeUnit unit) {
        return unit.convert(now, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        ClockEvent event = new ClockEvent(now + Math.max(0, unit.toNanos(delay)), scheduled++, task);
        push(event);
        return event;
    }

    @Override
    public Worker createWorker() {
        throw new UnsupportedOperationException("EventClock has no workers: schedule tasks on the clock itself");
    }

    private void push(ClockEvent event) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        int hole = size++;
        while (hole > 0) {
            int parent = (hole - 1) / 2;
            if (!event.isBefore(heap[parent])) {
                break;
            }
            heap[hole] = heap[parent];
            hole = parent;
        }
        heap[hole] = event;
    }

    private ClockEvent pop() {
        ClockEvent first = heap[0];
        ClockEvent last = heap[--size];
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (!heap[child].isBefore(last)) {
                break;
            }
            heap[hole] = heap[child];
            hole = child;
        }
        heap[hole] = last;
        return first;
    }
}
