package io.stowline.projection.internal.edm;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A parser that reads the values that travel as text. Every reader throws for text that is not wholly of its form. */
public final class TextParsers {

    /** .NET's constant ("c") form of a TimeSpan: {@code [-][d.]hh:mm:ss[.fffffff]}. */
    private static final Pattern TIME_SPAN = Pattern.compile(
            "(?<sign>-)?(?:(?<days>\\d{1,8})\\.)?(?<hours>[01]\\d|2[0-3]):(?<minutes>[0-5]\\d):(?<seconds>[0-5]\\d)"
                    + "(?:\\.(?<fraction>\\d{1,9}))?");

    private static final Pattern NUMBER = Pattern.compile("-?\\d++(\\.\\d++)?([eE][+-]?\\d++)?");

    /** The limit of digits, more than any double has. */
    private static final int MAX_NUMBER = 2_000;

    private static final int GUID_LENGTH = 36;
    /** The value of each hexadecimal digit, -1 of other characters. */
    private static final byte[] HEX_DIGITS = new byte['f' + 1];

    static {
        for (char c = 0; c < HEX_DIGITS.length; c++) {
            HEX_DIGITS[c] = (byte) Character.digit(c, 16);
        }
    }

    private static final int LAST_YEAR = 9_999;
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

    private TextParsers() {}

    public static OffsetDateTime offsetDateTime(String text) {
        return EdmDateTime.parse(text).atOffset(ZoneOffset.UTC);
    }

    /** Returns the UUID of a canonical form; {@code UUID.fromString} also takes shortened groups. */
    public static UUID guid(String text) {
        boolean dashes = text.length() == GUID_LENGTH
                && text.charAt(8) == '-'
                && text.charAt(13) == '-'
                && text.charAt(18) == '-'
                && text.charAt(23) == '-';
        if (!dashes) {
            throw noGuid();
        }
        long high = hex(text, 0, 8) << 32 | hex(text, 9, 13) << 16 | hex(text, 14, 18);
        return new UUID(high, hex(text, 19, 23) << 48 | hex(text, 24, GUID_LENGTH));
    }

    private static long hex(String text, int from, int to) {
        long value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            int digit = c < HEX_DIGITS.length ? HEX_DIGITS[c] : -1;
            if (digit < 0) {
                throw noGuid();
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static IllegalArgumentException noGuid() {
        return new IllegalArgumentException("not of the form 01234567-89ab-cdef-0123-456789abcdef");
    }

    public static Duration duration(String text) {
        Matcher span = TIME_SPAN.matcher(text);
        if (!span.matches()) {
            return Duration.parse(text);
        }
        Duration duration = Duration.ofDays(number(span.group("days")))
                .plusHours(number(span.group("hours")))
                .plusMinutes(number(span.group("minutes")))
                .plusSeconds(number(span.group("seconds")))
                .plusNanos(nanos(span.group("fraction")));
        return span.group("sign") == null ? duration : duration.negated();
    }

    /** Returns the double of a decimal number of JSON, or of a name such as {@code NaN}. */
    public static double floating(String text) {
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "Infinity", "INF" -> Double.POSITIVE_INFINITY;
            case "-Infinity", "-INF" -> Double.NEGATIVE_INFINITY;
            default -> finite(text);
        };
    }

    private static double finite(String text) {
        if (text.length() > MAX_NUMBER || !NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException("neither a decimal number nor NaN, Infinity, -Infinity, INF or -INF");
        }
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            throw new IllegalArgumentException("beyond the range of a double");
        }
        return value;
    }

    public static LocalDate localDate(String text) {
        return LocalDate.parse(text, DATE);
    }

    /** Years of four digits: others have a sign or more digits, and sort elsewhere. */
    public static String localDate(LocalDate value) {
        if (value.getYear() < 0 || value.getYear() > LAST_YEAR) {
            throw new IllegalArgumentException(
                    "a LocalDate of the year " + value.getYear() + "; the limit is 0 to " + LAST_YEAR);
        }
        return value.toString();
    }

    public static String localDate(String property, LocalDate value) {
        try {
            return localDate(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("property " + property + ": " + e.getMessage(), e);
        }
    }

    public static String decimal(String property, BigDecimal value) {
        try {
            return decimal(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("property " + property + ": " + e.getMessage(), e);
        }
    }

    /** {@code BigDecimal} reads no exponent beyond an int, but writes one. */
    static String decimal(BigDecimal value) {
        long exponent = value.precision() - 1L - value.scale();
        if (Math.abs(exponent) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a BigDecimal of exponent " + exponent + "; the limit is " + Integer.MAX_VALUE);
        }
        return value.toString();
    }

    /**
     * Returns a function from names to the constants of an enum, or to the one constant whose separate class this is.
     */
    public static Function<String, Object> enumConstants(Class<?> type) {
        Class<?> declaring = type.isEnum() ? type : type.getSuperclass();
        Map<String, Object> constants = new HashMap<>();
        for (Object constant : declaring.getEnumConstants()) {
            if (type.isInstance(constant)) {
                constants.put(((Enum<?>) constant).name(), constant);
            }
        }
        return name -> {
            Object constant = constants.get(name);
            if (constant == null) {
                throw new IllegalArgumentException("no constant of " + type.getName() + " has this name");
            }
            return constant;
        };
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static long nanos(@Nullable String fraction) {
        return fraction == null ? 0 : Long.parseLong((fraction + "00000000").substring(0, 9));
    }
}
