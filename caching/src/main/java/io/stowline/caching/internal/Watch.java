package io.stowline.caching.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import reactor.core.scheduler.Scheduler;

/** Tells the time. Its nanoseconds begin at zero. */
public final class Watch {

    private final Supplier<Moment> clock;
    private final long start;

    private Watch(Supplier<Moment> clock) {
        this.clock = clock;
        this.start = clock.get().nanos();
    }

    /**
     * The clocks of the machine.
     *
     * @return a watch
     */
    public static Watch system() {
        return new Watch(() -> new Moment(System.nanoTime(), System.currentTimeMillis()));
    }

    /**
     * The time of a scheduler, which may be virtual.
     *
     * @param timer the scheduler
     * @return a watch
     */
    public static Watch of(Scheduler timer) {
        return new Watch(() -> new Moment(timer.now(TimeUnit.NANOSECONDS), timer.now(TimeUnit.MILLISECONDS)));
    }

    Moment now() {
        Moment moment = clock.get();
        return new Moment(moment.nanos() - start, moment.wallMillis());
    }
}
