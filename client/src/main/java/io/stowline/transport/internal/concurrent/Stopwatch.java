package io.stowline.transport.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * A moment from which time is counted by both clocks of this machine: the monotonic one, which stands still while the
 * machine sleeps, and the wall clock, which may be set. The age of the moment is the larger of the two differences, so
 * that neither a sleep nor a clock that is set back makes it younger than it is (OUTCOME-0). Immutable.
 */
public final class Stopwatch {

    private final Scheduler clock;
    private final long nanos;
    private final long millis;

    private Stopwatch(Scheduler clock, long nanos, long millis) {
        this.clock = clock;
        this.nanos = nanos;
        this.millis = millis;
    }

    /**
     * Counts from now on.
     *
     * @param clock gives the monotonic time in nanoseconds and the wall clock's in milliseconds, as Reactor's schedulers do
     */
    public static Stopwatch start(Scheduler clock) {
        return startedAt(clock.now(TimeUnit.NANOSECONDS), clock);
    }

    /** Counts from this reading of the monotonic clock on, which has just been taken. */
    public static Stopwatch startedAt(long nanos, Scheduler clock) {
        return new Stopwatch(clock, nanos, clock.now(TimeUnit.MILLISECONDS));
    }

    /**
     * Counts from an earlier moment on.
     *
     * @param time how much earlier
     */
    public Stopwatch startedEarlier(Duration time) {
        return new Stopwatch(clock, nanos - time.toNanos(), millis - time.toMillis());
    }

    /** Counts, by each clock, from the moment of these two that comes first there. */
    public Stopwatch earliest(Stopwatch other) {
        return new Stopwatch(clock, other.nanos - nanos < 0 ? other.nanos : nanos, Math.min(millis, other.millis));
    }

    /**
     * Returns the most time that can have passed.
     *
     * @return the larger of the times by the two clocks
     */
    public Duration age() {
        Duration monotonic = Duration.ofNanos(clock.now(TimeUnit.NANOSECONDS) - nanos);
        Duration wall = Duration.ofMillis(clock.now(TimeUnit.MILLISECONDS) - millis);
        return wall.compareTo(monotonic) > 0 ? wall : monotonic;
    }
}
