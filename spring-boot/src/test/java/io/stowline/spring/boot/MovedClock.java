package io.stowline.spring.boot;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that a test moves, and that counts its readings. Thread-safe. */
public final class MovedClock extends Clock {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final Clock base;
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final AtomicInteger readings = new AtomicInteger();

    private MovedClock(Clock base) {
        this.base = base;
    }

    /** Returns a clock that stands at the first of January 2026 until it is moved. */
    public static MovedClock standing() {
        return new MovedClock(Clock.fixed(BEGIN, ZoneOffset.UTC));
    }

    /** Returns a clock that runs as the system's does, and is moved besides. */
    public static MovedClock running() {
        return new MovedClock(Clock.systemUTC());
    }

    public void pass(Duration time) {
        ahead.updateAndGet(time::plus);
    }

    public int readings() {
        return readings.get();
    }

    @Override
    public Instant instant() {
        readings.incrementAndGet();
        return base.instant().plus(ahead.get());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
