package io.stowline.transport.internal.http;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The date of HTTP headers (RFC 1123), printed at most once a second. Thread-safe. */
public final class HttpDates {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** No date and no number in a header is longer. */
    private static final int LONGEST = 64;

    private volatile Printed last = new Printed(Long.MIN_VALUE, "");

    public String print(long epochSecond) {
        Printed seen = last;
        if (seen.second != epochSecond) {
            seen = new Printed(epochSecond, FORMAT.format(Instant.ofEpochSecond(epochSecond)));
            last = seen;
        }
        return seen.text;
    }

    public static @Nullable Instant parse(@Nullable String text) {
        if (text == null || text.length() > LONGEST) {
            return null;
        }
        try {
            return DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** What {@code Retry-After} and its millisecond forms ask for; an unreadable hint is no hint. */
    public static @Nullable Duration hint(@Nullable String millis, @Nullable String secondsOrDate, Instant now) {
        if (millis != null) {
            Duration wait = number(millis, 1);
            if (wait != null) {
                return wait;
            }
        }
        if (secondsOrDate == null) {
            return null;
        }
        Duration wait = number(secondsOrDate, 1000);
        if (wait != null) {
            return wait;
        }
        Instant until = parse(secondsOrDate);
        return until == null ? null : Duration.between(now, until.isBefore(now) ? now : until);
    }

    private static @Nullable Duration number(String text, long factor) {
        if (text.length() > LONGEST) {
            return null;
        }
        try {
            long value = Long.parseLong(text.trim());
            return value < 0 || value > Integer.MAX_VALUE ? null : Duration.ofMillis(value * factor);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private record Printed(long second, String text) {}
}
