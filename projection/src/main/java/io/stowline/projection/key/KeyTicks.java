package io.stowline.projection.key;

import java.time.Instant;

/** Times as .NET counts them: steps of 100 ns since the first instant of the year 1, up to the end of 9999. */
final class KeyTicks {

    /** {@code DateTime.MaxValue.Ticks} of .NET. */
    static final long MAX = 3_155_378_975_999_999_999L;

    private static final long PER_SECOND = 10_000_000;
    private static final long SECONDS_BEFORE_EPOCH = 62_135_596_800L;

    private KeyTicks() {}

    /** The ticks of a time, cut towards the past; -1 for a time outside of the years 1 to 9999. */
    static long of(Instant time) {
        long seconds = time.getEpochSecond() + SECONDS_BEFORE_EPOCH;
        if (seconds < 0 || seconds > MAX / PER_SECOND) {
            return -1;
        }
        return seconds * PER_SECOND + time.getNano() / 100;
    }

    static Instant time(long ticks) {
        return Instant.ofEpochSecond(ticks / PER_SECOND - SECONDS_BEFORE_EPOCH, ticks % PER_SECOND * 100);
    }
}
