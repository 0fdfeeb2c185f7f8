package io.stowline.caching.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Tells the time. Its nanoseconds begin at zero. */
public final class Watch {

    private final Supplier<Moment> clock;
    private final Supplier<Scheduler> timer;
    private final long start;

    private Watch(Supplier<Moment> clock, Supplier<Scheduler> timer) {
        this.clock = clock;
        this.timer = timer;
        this.start = clock.get().nanos();
    }

    /**
     * The clocks of the machine.
     *
     * @return a watch
     */
    public static Watch system() {
        return new Watch(() -> new Moment(System.nanoTime(), System.currentTimeMillis()), Schedulers::parallel);
    }

    /**
     * The time of a scheduler, which may be virtual.
     *
     * @param timer the scheduler
     * @return a watch
     */
    public static Watch of(Scheduler timer) {
        return new Watch(
                () -> new Moment(timer.now(TimeUnit.NANOSECONDS), timer.now(TimeUnit.MILLISECONDS)), () -> timer);
    }

    /** Says when a time is over. */
    Scheduler timer() {
        return timer.get();
    }

    Moment now() {
        Moment moment = clock.get();
        return new Moment(moment.nanos() - start, moment.wallMillis());
    }
}
