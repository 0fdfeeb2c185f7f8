package io.stowline.testkit.internal.strict.table;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.Year;
import java.util.Optional;

/**
 * Reads an Edm.DateTime: a date, or date and time to the minute, to the second or to a fraction of it, in UTC.
 *
 * <p>How many digits of a fraction the service accepts is not known, so any number is.
 */
public final class DateTimeText {

    private static final int FIRST_YEAR = 1601;
    private static final int DATE = "2026-11-21".length();
    private static final int MINUTES = "2026-11-21T16:55".length();
    private static final int SECONDS = "2026-11-21T16:55:00".length();

    private DateTimeText() {}

    /** Returns the year of a well-formed text, else empty. An offset other than Z is malformed. */
    public static Optional<Year> year(String text) {
        boolean utc = text.endsWith("Z") || text.endsWith("z");
        String local = utc ? text.substring(0, text.length() - 1) : text;
        try {
            return digitsAndMarks(local) ? Optional.of(read(local)) : Optional.empty();
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    public static boolean isInRange(Year year) {
        return year.getValue() >= FIRST_YEAR;
    }

    private static Year read(String local) {
        String whole = local.length() == DATE ? local + "T00:00" : local;
        String seconds = whole.length() > SECONDS ? whole.substring(0, SECONDS) : whole;
        return Year.of(LocalDateTime.parse(seconds).getYear());
    }

    private static boolean digitsAndMarks(String local) {
        int length = local.length();
        if (length != DATE && length != MINUTES && length != SECONDS && length <= SECONDS + 1) {
            return false;
        }
        return length <= SECONDS || (local.charAt(SECONDS) == '.' && isDigits(local, SECONDS + 1));
    }

    private static boolean isDigits(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
