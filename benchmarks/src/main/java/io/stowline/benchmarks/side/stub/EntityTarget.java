package io.stowline.benchmarks.side.stub;

import java.util.concurrent.TimeUnit;

/**
 * The target of an account in entities per second. Entities beyond it wait in a queue; a request that would wait too long is refused. Only on the
 * event loop.
 */
final class EntityTarget {

    /** The wait of a request that is refused. */
    static final long REFUSED = -1;

    private static final long MAX_WAIT = TimeUnit.SECONDS.toNanos(1);

    private final long nanosPerEntity;
    private long free;

    /** A target of 0 is none. */
    EntityTarget(int perSecond) {
        this.nanosPerEntity = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.free = System.nanoTime();
    }

    /** Returns how long the response to a request waits from now on, or {@link #REFUSED}. */
    long admit(int entities, long now) {
        if (nanosPerEntity == 0) {
            return 0;
        }
        long begin = Math.max(0, free - now);
        if (begin > MAX_WAIT) {
            return REFUSED;
        }
        long wait = begin + entities * nanosPerEntity;
        free = now + wait;
        return wait;
    }
}
