package io.stowline.caching.internal.entry;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Tells the time. Its nanoseconds begin at zero. */
public final class CacheClock {

    private final Supplier<ClockReading> clock;
    private final Supplier<Scheduler> timer;
    private final long start;

    private CacheClock(Supplier<ClockReading> clock, Supplier<Scheduler> timer) {
        this.clock = clock;
        this.timer = timer;
        this.start = clock.get().nanos();
    }

    /**
     * The clocks of the machine.
     *
     * @return a watch
     */
    public static CacheClock system() {
        return new CacheClock(
                () -> new ClockReading(System.nanoTime(), System.currentTimeMillis()), Schedulers::parallel);
    }

    /**
     * The time of a scheduler, which may be virtual.
     *
     * @param timer the scheduler
     * @return a watch
     */
    public static CacheClock of(Scheduler timer) {
        return new CacheClock(
                () -> new ClockReading(timer.now(TimeUnit.NANOSECONDS), timer.now(TimeUnit.MILLISECONDS)), () -> timer);
    }

    /** Says when a time is over. */
    public Scheduler timer() {
        return timer.get();
    }

    public ClockReading now() {
        ClockReading moment = clock.get();
        return new ClockReading(moment.nanos() - start, moment.wallMillis());
    }
}
