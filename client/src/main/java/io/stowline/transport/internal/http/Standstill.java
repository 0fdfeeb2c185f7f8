package io.stowline.transport.internal.http;

import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * The standstill of a transfer: the time since its last byte moved, without the waits for admission (decision 100). A new one stands
 * at zero and does not run before it is admitted. Thread-safe and without locks.
 */
public final class Standstill {

    private static final AtomicReferenceFieldUpdater<Standstill, Time> TIME =
            AtomicReferenceFieldUpdater.newUpdater(Standstill.class, Time.class, "time");
    private static final Time ZERO = new Time(false, 0);
    private static final Duration MAX_WAIT = Duration.ofDays(365);

    private final Scheduler clock;
    private final Duration firstWait;
    private final long began;
    private volatile Time time = ZERO;
    private volatile boolean started;

    /**
     * A standstill by a clock.
     *
     * @param running whether it runs
     * @param nanos the moment from which it counts while it runs, else its length
     */
    private record Time(boolean running, long nanos) {}

    /**
     * A transfer that waits for its first admission.
     *
     * @param clock gives the time
     */
    public Standstill(Scheduler clock) {
        this(clock, MAX_WAIT);
    }

    /**
     * A transfer that waits for its first admission.
     *
     * @param clock gives the time
     * @param firstWait the longest wait for that admission, zero to 365 days
     */
    public Standstill(Scheduler clock, Duration firstWait) {
        this.clock = clock;
        this.firstWait = firstWait;
        this.began = now();
    }

    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }

    /** Stops the time for a wait for admission; it keeps its length. */
    public void waits() {
        long now = now();
        TIME.updateAndGet(this, was -> was.running ? new Time(false, now - was.nanos) : was);
    }

    /** Continues the time after the admission. */
    public void admitted() {
        long now = now();
        started = true;
        TIME.updateAndGet(this, was -> was.running ? was : new Time(true, now - was.nanos));
    }

    /** Restarts the time, as some bytes have left or arrived. */
    public void moved() {
        long now = now();
        TIME.updateAndGet(this, was -> was.running ? new Time(true, now) : ZERO);
    }

    /** Returns the length of the standstill, in nanoseconds. */
    public long nanos() {
        Time read = time;
        return read.running ? Math.max(0, now() - read.nanos) : read.nanos;
    }

    /** Returns the length of the standstill. */
    public Duration length() {
        return Duration.ofNanos(nanos());
    }

    /** Returns the end of a wait for admission: only the first one, before which nothing moves, is no part of a transfer (decision 184). */
    public Deadline startBy() {
        return started
                ? Deadline.in(MAX_WAIT, clock)
                : Deadline.in(firstWait, clock).minus(age());
    }

    /** Returns the time since the transfer was made, waits included. */
    public Duration age() {
        return Duration.ofNanos(now() - began);
    }

    /**
     * Returns the deadline that has passed once the transfer has stood still for so long.
     *
     * @param time the longest standstill, zero to 365 days
     */
    public Deadline deadline(Duration time) {
        return Deadline.in(time, new StandstillClock(this)).minus(length());
    }

    /** A clock that shows the length of a standstill. */
    private record StandstillClock(Standstill standstill) implements Scheduler {

        private static final String NO_TIMER = "the clock of a standstill runs no tasks";

        @Override
        public long now(TimeUnit unit) {
            return unit.convert(standstill.nanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public Disposable schedule(Runnable task) {
            throw new RejectedExecutionException(NO_TIMER);
        }

        @Override
        public Worker createWorker() {
            throw new RejectedExecutionException(NO_TIMER);
        }
    }
}
