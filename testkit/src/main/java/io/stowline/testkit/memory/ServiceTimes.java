package io.stowline.testkit.memory;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Clock of a service: no two changes have the same time, which counts in steps of 100 ns. Not thread-safe. */
final class ServiceTimes {

    private static final DateTimeFormatter SEVEN_DIGITS = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Clock clock;
    private Instant last = Instant.MIN;

    ServiceTimes(Clock clock) {
        this.clock = clock;
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns the time of a change, later than that of any change before. */
    Instant change() {
        Instant now = clock.instant();
        now = Instant.ofEpochSecond(now.getEpochSecond(), now.getNano() / 100 * 100L);
        last = now.isAfter(last) ? now : last.plusNanos(100);
        return last;
    }

    /** Returns the form of a table's timestamps. */
    static String sevenDigits(Instant time) {
        return SEVEN_DIGITS.format(time);
    }
}
