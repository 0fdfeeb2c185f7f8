package io.stowline.caching.internal.entry;

/** A moment by two clocks: one that never goes back, and one that goes on while the machine sleeps and means something to other processes. */
public record ClockReading(long nanos, long wallMillis) {

    private static final long NANOS_IN_MILLI = 1_000_000;

    /** How long ago it was, by the clock that says more: a clock that is put back makes nothing younger. */
    public long ageNanos(ClockReading now) {
        long byWall = Math.max(0, now.wallMillis - wallMillis);
        return Math.max(now.nanos - nanos, Math.min(byWall, Long.MAX_VALUE / NANOS_IN_MILLI) * NANOS_IN_MILLI);
    }
}
