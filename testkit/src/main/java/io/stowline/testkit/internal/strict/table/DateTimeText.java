package io.stowline.testkit.internal.strict.table;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.Year;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reader of an Edm.DateTime: a date, or date and time to the minute, to the second or to a fraction of it, in UTC.
 *
 * <p>How many digits of a fraction the service accepts is not known, so any number is.
 */
public final class DateTimeText {

    private static final int FIRST_YEAR = 1601;
    private static final Pattern FORM = Pattern.compile(
            "(?<date>[0-9]{4}-[0-9]{2}-[0-9]{2})(?<time>[Tt][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?(?<fraction>\\.[0-9]+)?[Zz]?");
    private static final int SECONDS = "T16:55:00".length();

    private DateTimeText() {}

    /** Returns the year of a well-formed text, else empty. An offset other than Z is malformed. */
    public static Optional<Year> year(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        String time = form.group("time") == null ? "" : form.group("time");
        if (form.group("fraction") != null && time.length() != SECONDS) {
            return Optional.empty();
        }
        try {
            LocalDateTime local = LocalDateTime.parse(form.group("date") + (time.isEmpty() ? "T00:00" : time));
            return Optional.of(Year.of(local.getYear()));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    public static boolean isInRange(Year year) {
        return year.getValue() >= FIRST_YEAR;
    }
}
