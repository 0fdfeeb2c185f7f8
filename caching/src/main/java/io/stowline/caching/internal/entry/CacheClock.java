package io.stowline.caching.internal.entry;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The clock of a cache, whose nanoseconds begin at zero. */
public final class CacheClock {

    private final Supplier<ClockReading> clock;
    private final Supplier<Scheduler> timer;
    private final long start;

    private CacheClock(Supplier<ClockReading> clock, Supplier<Scheduler> timer) {
        this.clock = clock;
        this.timer = timer;
        this.start = clock.get().nanos();
    }

    /** Returns the clocks of the machine. */
    public static CacheClock system() {
        return new CacheClock(
                () -> new ClockReading(System.nanoTime(), System.currentTimeMillis()), Schedulers::parallel);
    }

    /** Returns the time of a scheduler, which may be virtual. */
    public static CacheClock of(Scheduler timer) {
        return new CacheClock(
                () -> new ClockReading(timer.now(TimeUnit.NANOSECONDS), timer.now(TimeUnit.MILLISECONDS)), () -> timer);
    }

    /** Returns the scheduler of waits. */
    public Scheduler timer() {
        return timer.get();
    }

    public ClockReading now() {
        ClockReading moment = clock.get();
        return new ClockReading(moment.nanos() - start, moment.wallMillis());
    }

    /** A moment by two clocks: one that never goes back, and one that goes on while the machine sleeps and means something to other processes. */
    public record ClockReading(long nanos, long wallMillis) {

        private static final long NANOS_IN_MILLI = 1_000_000;

        /** Returns the age by the clock that shows more: a wall clock that is put back makes nothing younger. */
        public long ageNanos(ClockReading now) {
            long byWall = Math.max(0, now.wallMillis - wallMillis);
            return Math.max(now.nanos - nanos, Math.min(byWall, Long.MAX_VALUE / NANOS_IN_MILLI) * NANOS_IN_MILLI);
        }

        /**
         * Returns the end of a time that begins now, in nanoseconds: 0 for no time, and the largest value for an
         * endless one.
         */
        public long after(Duration time) {
            if (time.isZero()) {
                return 0;
            }
            boolean never = time.compareTo(Duration.ofNanos(Long.MAX_VALUE - nanos)) >= 0;
            return never ? Long.MAX_VALUE : nanos + time.toNanos();
        }
    }
}
