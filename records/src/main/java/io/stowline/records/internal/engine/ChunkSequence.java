package io.stowline.records.internal.engine;

import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.name.Intervals;
import io.stowline.records.internal.name.Sessions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * The names of a writer's chunks. The intervals of one session never go back: a clock that goes back by up to two intervals is ignored, and
 * one that goes back further begins a new session. Guarded by the writer's lock.
 */
final class ChunkSequence {

    private static final int IGNORED = 2;

    private final Clock clock;
    private final Intervals intervals;
    private final long every;
    private final RandomGenerator random;
    private String session;
    private long sequence;
    private long interval = Long.MIN_VALUE;

    ChunkSequence(Clock clock, Duration every, RandomGenerator random) {
        this.clock = clock;
        this.intervals = new Intervals(every);
        this.every = every.toMillis();
        this.random = random;
        this.session = Sessions.next(random, intervals);
    }

    /** Returns whether a record of this moment belongs to another interval, or another session, than the last name. */
    boolean isOver() {
        long now = clock.millis();
        return now >= interval + every || now < interval - IGNORED * every;
    }

    /** Returns the milliseconds until the interval of the last name is over, at most one interval. */
    long left() {
        return Math.max(1, Math.min(every, interval + every - clock.millis()));
    }

    ChunkName next() {
        long now = intervals.floor(clock.instant()).toEpochMilli();
        if (now < interval - IGNORED * every) {
            session = Sessions.next(random, intervals);
            sequence = 0;
            interval = now;
        }
        interval = Math.max(interval, now);
        return new ChunkName(Instant.ofEpochMilli(interval), session, sequence++);
    }
}
