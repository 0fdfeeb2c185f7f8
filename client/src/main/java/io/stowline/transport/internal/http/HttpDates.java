package io.stowline.transport.internal.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The date of HTTP headers (RFC 1123), printed at most once a second. Thread-safe. */
public final class HttpDates {

    private static final int USUAL = 29;
    private static final String DAYS = "Mon, Tue, Wed, Thu, Fri, Sat, Sun, ";
    private static final int DAY = 5;
    private static final String MONTHS = " Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ";
    private static final int MONTH = 4;

    /** Longer than any date or number in a header. */
    private static final int MAX = 64;

    private volatile Printed last = new Printed(Long.MIN_VALUE, "");

    public String print(long epochSecond) {
        Printed seen = last;
        if (seen.second != epochSecond) {
            seen = new Printed(epochSecond, printed(LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC)));
            last = seen;
        }
        return seen.text;
    }

    /** A formatter with names of days and months would load the data of a locale for the first request. */
    private static String printed(LocalDateTime time) {
        StringBuilder text = new StringBuilder(USUAL);
        int day = (time.getDayOfWeek().getValue() - 1) * DAY;
        int month = (time.getMonthValue() - 1) * MONTH;
        text.append(DAYS, day, day + DAY);
        appendTwo(text, time.getDayOfMonth()).append(MONTHS, month, month + MONTH + 1);
        appendTwo(text, time.getYear() / 100);
        appendTwo(text, time.getYear() % 100).append(' ');
        appendTwo(text, time.getHour()).append(':');
        appendTwo(text, time.getMinute()).append(':');
        return appendTwo(text, time.getSecond()).append(" GMT").toString();
    }

    private static StringBuilder appendTwo(StringBuilder text, int number) {
        return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }

    /** Returns the time, or {@code null} if there is none. A wrong day of the week is overlooked (decision 506). */
    public static @Nullable Instant parse(@Nullable String text) {
        if (text == null || text.length() > MAX) {
            return null;
        }
        Instant usual = usual(text);
        if (usual != null) {
            return usual;
        }
        try {
            return DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.substring(dateIn(text)), Instant::from);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /**
     * Reads a date in one of the three forms of HTTP (RFC 9110, 5.6.7).
     *
     * @param near a time within 50 years of it, since years of one form have two digits
     */
    public static @Nullable Instant parse(@Nullable String text, Instant near) {
        Instant usual = parse(text);
        return usual != null || text == null || text.length() > MAX ? usual : OlderForms.parse(text, near);
    }

    /** Null for any other form than the one that the service sends: a formatter takes ten times as long. */
    private static @Nullable Instant usual(String text) {
        if (text.length() != USUAL
                || dateIn(text) != DAY
                || !text.endsWith(" GMT")
                || text.charAt(16) != ' '
                || text.charAt(19) != ':'
                || text.charAt(22) != ':') {
            return null;
        }
        try {
            LocalDate day = LocalDate.of(digits(text, 12, 16), monthIn(text), digits(text, 5, 7));
            LocalTime time = LocalTime.of(digits(text, 17, 19), digits(text, 20, 22), digits(text, 23, 25));
            return Instant.ofEpochSecond(day.toEpochSecond(time, ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Returns where the date begins, behind the day of the week if there is one. */
    private static int dateIn(String text) {
        for (int day = 0; day < DAYS.length(); day += DAY) {
            if (text.regionMatches(0, DAYS, day, DAY)) {
                return DAY;
            }
        }
        return 0;
    }

    /** Returns the number of the month, or 0, which is none. */
    private static int monthIn(String text) {
        for (int month = 1; month * MONTH < MONTHS.length(); month++) {
            if (text.regionMatches(7, MONTHS, (month - 1) * MONTH, MONTH + 1)) {
                return month;
            }
        }
        return 0;
    }

    private static int digits(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw new DateTimeException("not a number");
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** Returns the wait that {@code Retry-After} and its millisecond forms request; an unreadable hint is no hint. */
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
        Instant until = parse(secondsOrDate.strip(), now);
        return until == null ? null : Duration.between(now, until.isBefore(now) ? now : until);
    }

    private static @Nullable Duration number(String text, long factor) {
        if (text.length() > MAX) {
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

    /** The forms that no service sends, with the data of a locale, which is loaded for these alone. */
    private static final class OlderForms {

        private static final int YEARS_BEFORE = 50;
        private static final DateTimeFormatter ASCTIME = DateTimeFormatter.ofPattern(
                        "EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH)
                .withZone(ZoneOffset.UTC);

        static @Nullable Instant parse(String text, Instant near) {
            Instant date = read(rfc850(near), text);
            return date == null ? read(ASCTIME, text) : date;
        }

        private static @Nullable Instant read(DateTimeFormatter form, String text) {
            try {
                return form.parse(text, Instant::from);
            } catch (DateTimeException otherForm) {
                return null;
            }
        }

        private static DateTimeFormatter rfc850(Instant near) {
            int first = near.atOffset(ZoneOffset.UTC).getYear() - YEARS_BEFORE;
            return new DateTimeFormatterBuilder()
                    .appendPattern("EEEE, dd-MMM-")
                    .appendValueReduced(ChronoField.YEAR, 2, 2, first)
                    .appendPattern(" HH:mm:ss 'GMT'")
                    .toFormatter(Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);
        }
    }
}
