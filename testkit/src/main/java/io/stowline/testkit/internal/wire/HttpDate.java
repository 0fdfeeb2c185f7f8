package io.stowline.testkit.internal.wire;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Dates in headers. */
public final class HttpDate {

    // The formatter of the JDK for RFC 1123 writes days below 10 with one digit, which HTTP does not allow.
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private HttpDate() {}

    /**
     * Writes a date.
     *
     * @param instant the time, whose fraction of a second is dropped
     * @return such as {@code Sun, 01 Nov 2026 10:00:00 GMT}
     */
    public static String format(Instant instant) {
        return FORMAT.format(instant);
    }

    public static Optional<Instant> parse(String text) {
        try {
            return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
