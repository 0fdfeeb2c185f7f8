package io.stowline.projection.internal.edm;

import java.time.Instant;

/** A parser that reads the forms of a time that {@link EdmDateTime#parse} states. */
final class DateTimeParser {

    /** Days from the first of March of the year 0 to the first of January 1970. */
    static final int EPOCH_FROM_MARCH_OF_YEAR_ZERO = 719_468;

    private static final int DATE_LENGTH = 10;
    private static final int[] MONTH_DAYS = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    private DateTimeParser() {}

    static Instant parse(CharSequence text) {
        int length = text.length();
        long day = date(text);
        if (length == DATE_LENGTH) {
            return Instant.ofEpochSecond(day * 86_400);
        }
        require(text, isDateEnd(text.charAt(DATE_LENGTH)));
        int hour = field(text, 11, 2, 0, 23);
        require(text, at(text, 13) == ':');
        int minute = field(text, 14, 2, 0, 59);
        int next = 16;
        int second = 0;
        int nano = 0;
        if (at(text, next) == ':') {
            second = field(text, 17, 2, 0, 59);
            next = 19;
            if (at(text, next) == '.') {
                int end = digitsEnd(text, next + 1);
                nano = fraction(text, next + 1, end);
                next = end;
            }
        }
        return Instant.ofEpochSecond(day * 86_400 + hour * 3600L + minute * 60L + second - offset(text, next), nano);
    }

    private static long date(CharSequence text) {
        int year = field(text, 0, 4, 0, 9999);
        require(text, at(text, 4) == '-');
        int month = field(text, 5, 2, 1, 12);
        require(text, at(text, 7) == '-');
        int day = field(text, 8, 2, 1, MONTH_DAYS[month - 1]);
        require(text, month != 2 || day < 29 || isLeap(year));
        int marchYear = month <= 2 ? year - 1 : year;
        int monthFromMarch = month <= 2 ? month + 9 : month - 3;
        int era = Math.floorDiv(marchYear, 400);
        int yearOfEra = marchYear - era * 400;
        int dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1;
        int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * 146_097L + dayOfEra - EPOCH_FROM_MARCH_OF_YEAR_ZERO;
    }

    /** The offset in seconds; it must be the last thing in the text. */
    private static int offset(CharSequence text, int start) {
        if (start == text.length()) {
            return 0;
        }
        char sign = text.charAt(start);
        if (sign == 'Z' || sign == 'z') {
            require(text, start + 1 == text.length());
            return 0;
        }
        require(text, (sign == '+' || sign == '-') && at(text, start + 3) == ':' && start + 6 == text.length());
        int seconds = field(text, start + 1, 2, 0, 18) * 3600 + field(text, start + 4, 2, 0, 59) * 60;
        return sign == '-' ? -seconds : seconds;
    }

    private static int fraction(CharSequence text, int start, int end) {
        require(text, end - start <= 9);
        int nano = 0;
        for (int i = start; i < start + 9; i++) {
            nano = nano * 10 + (i < end ? text.charAt(i) - '0' : 0);
        }
        return nano;
    }

    private static int digitsEnd(CharSequence text, int start) {
        int end = start;
        while (isDigit(at(text, end))) {
            end++;
        }
        return end;
    }

    private static int field(CharSequence text, int start, int count, int min, int max) {
        int value = 0;
        for (int i = start; i < start + count; i++) {
            char c = at(text, i);
            require(text, isDigit(c));
            value = value * 10 + (c - '0');
        }
        require(text, value >= min && value <= max);
        return value;
    }

    /** NUL behind the end, as no form has it. */
    private static char at(CharSequence text, int index) {
        return index < text.length() ? text.charAt(index) : '\0';
    }

    private static boolean isDateEnd(char c) {
        return c == 'T' || c == 't' || c == ' ';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    private static void require(CharSequence text, boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("time " + Abbreviation.quoted(text)
                    + " is not of the form yyyy-MM-ddTHH:mm:ss.fffffffZ (0 to 9 fraction digits, Z or an offset)");
        }
    }
}
