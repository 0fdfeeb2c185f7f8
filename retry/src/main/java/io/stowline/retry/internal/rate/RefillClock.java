package io.stowline.retry.internal.rate;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import reactor.core.scheduler.Scheduler;

/**
 * A clock that counts the time by which token buckets refill: that of a scheduler, or a slower one while rates ramp up.
 *
 * <p>A ramp begins with the first request, at a tenth of the rates, and rises to the whole of them in a straight line. Buckets are empty at its
 * beginning, and while it rises they hold as much less as they refill more slowly. It begins again with the first request after a pause that is as
 * long as the ramp, in which no request came or waited. All buckets of one clock share its ramp. Thread-safe.
 */
public final class RefillClock {

    private static final AtomicReferenceFieldUpdater<RefillClock, Ramp> RAMP =
            AtomicReferenceFieldUpdater.newUpdater(RefillClock.class, Ramp.class, "ramp");
    private static final double START = 0.1;
    private static final double RISE = 1 - START;

    private final Scheduler timer;
    private final long duration;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile Ramp ramp;
    private volatile long requested;

    private RefillClock(Scheduler timer, Duration rampOver) {
        this.timer = Objects.requireNonNull(timer, "timer");
        this.duration = rampOver.toNanos();
        long now = time();
        this.ramp = new Ramp(now, now, duration);
        this.requested = now - duration;
    }

    /**
     * Returns a clock without a ramp.
     *
     * @param timer gives the time and serves those who wait
     */
    public static RefillClock steady(Scheduler timer) {
        return new RefillClock(timer, Duration.ZERO);
    }

    /**
     * Returns a clock whose ramp begins with the first request.
     *
     * @param timer gives the time and serves those who wait
     * @param rampOver the duration of the ramp, zero for none
     */
    public static RefillClock ramping(Scheduler timer, Duration rampOver) {
        return new RefillClock(timer, rampOver);
    }

    /** Returns the scheduler of its time. */
    public Scheduler timer() {
        return timer;
    }

    private long time() {
        return timer.now(TimeUnit.NANOSECONDS);
    }

    /** Returns the nanoseconds by which a bucket at the whole rate would refill as much. */
    long now() {
        return duration == 0 ? time() : ramp.refilled(time());
    }

    /** Returns the nanoseconds until a bucket has refilled by so much. */
    long delay(long refill) {
        return duration == 0 || refill <= 0 ? refill : ramp.delay(time(), refill);
    }

    /** Returns the least that a bucket of this capacity lacks, which an idle one has refilled as far as it may. */
    long lacking(long capacity) {
        return duration == 0 ? 0 : ramp.lacking(time(), capacity);
    }

    /** Returns the share of the whole rates by which buckets refill at this moment. */
    double speed() {
        return duration == 0 ? 1 : ramp.speed(time());
    }

    /** Notes a request, which begins the ramp if it is the first one after a long pause. */
    void requested() {
        if (duration == 0) {
            return;
        }
        // Read before the time of the last request: of two first requests only one begins the ramp.
        Ramp current = ramp;
        long before = requested;
        long now = time();
        requested = now;
        if (now - before >= duration && waiting.get() == 0) {
            RAMP.compareAndSet(this, current, new Ramp(now, current.refilled(now), duration));
        }
    }

    /** Notes a request that waits: its wait is known, and no new ramp may lengthen it. */
    void waits() {
        waiting.incrementAndGet();
    }

    /** Notes the end of a wait. */
    void waited() {
        requested = time();
        waiting.decrementAndGet();
    }

    /**
     * One rise of the rates.
     *
     * @param began the time of its beginning
     * @param base the refilling until then
     * @param duration the nanoseconds that it takes
     */
    private record Ramp(long began, long base, long duration) {

        long refilled(long now) {
            return base + since(now - began);
        }

        /** The integral of the speed. */
        private long since(long elapsed) {
            if (elapsed >= duration) {
                return whole() + elapsed - duration;
            }
            return (long) (elapsed * (START + RISE / 2 * elapsed / duration));
        }

        private long whole() {
            return (long) (duration * (START + RISE / 2));
        }

        double speed(long now) {
            return Math.min(1, START + RISE * (now - began) / duration);
        }

        long delay(long now, long refill) {
            long elapsed = now - began;
            long wanted = since(elapsed) + refill;
            long end = wanted >= whole() ? wanted - whole() + duration : rising(wanted);
            // The root is rounded.
            while (since(end) < wanted) {
                end++;
            }
            return end - elapsed;
        }

        /** The inverse of the integral. */
        private long rising(long wanted) {
            double root = Math.sqrt(START * START + 2 * RISE * wanted / duration);
            return (long) ((root - START) / RISE * duration);
        }

        long lacking(long now, long capacity) {
            long elapsed = now - began;
            long beginning = capacity - since(elapsed);
            long slower = elapsed >= duration ? 0 : (long) (capacity * RISE * (1 - (double) elapsed / duration));
            return Math.max(0, Math.max(beginning, slower));
        }
    }
}
