package io.stowline.retry.internal.gate;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/** The clock of a simulation: time jumps from event to event, events of one moment run in the order of their coming. */
public final class VirtualTime implements Scheduler {

    private record Event(long at, long number, Runnable task) implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long numbers;

    public void in(double seconds, Runnable task) {
        events.add(new Event(now + (long) (seconds * 1e9), numbers++, task));
    }

    public double seconds() {
        return now / 1e9;
    }

    public void runUntil(double seconds) {
        long end = (long) (seconds * 1e9);
        while (!events.isEmpty() && events.peek().at() <= end) {
            Event next = events.poll();
            now = next.at();
            next.task().run();
        }
        now = end;
    }

    void advance(Duration time) {
        runUntil(seconds() + time.toNanos() / 1e9);
    }

    @Override
    public long now(TimeUnit unit) {
        return unit.convert(now, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task) {
        throw new UnsupportedOperationException("tells the time only");
    }

    @Override
    public Worker createWorker() {
        throw new UnsupportedOperationException("no workers");
    }
}
