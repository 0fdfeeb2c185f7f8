package io.stowline.table.internal.format;

import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.PropertyLimits;
import io.stowline.table.internal.json.AsciiCopier;
import io.stowline.table.internal.json.ByteBuilder;
import io.stowline.table.internal.json.Decimals;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A scanner of values in the one form in which {@link EntityLines#line} writes them. Other forms of a value, and some long ones of the same
 * form, are left to the decoder. For one thread.
 */
final class ValueScanner {

    /** The end of a value that is left to the decoder. */
    static final int OTHER = -1;

    private static final char REPLACEMENT = '\uFFFD';
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

    /** Each number of so many digits fits in a long. */
    private static final int MAX_DIGITS = 18;

    /** Decimals of so many digits before and behind the point are written as they were read. */
    private static final int MAX_WHOLE = 7;

    private static final int MAX_PLACES = 6;

    private static final int MIN_YEAR = 1601;
    private static final int GUID_LENGTH = 36;
    private static final String GUID_FORM = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    private static final int[] SEXTETS = sextets();

    private final ByteBuilder number = new ByteBuilder();
    private int size;

    /** Returns the size of the last value by the service's rule. */
    int size() {
        return size;
    }

    /**
     * Returns the end of the value that begins at a byte; {@link #OTHER} if it is left to the decoder.
     *
     * @param type the annotated type; {@code null} without an annotation
     */
    int end(@Nullable EdmType type, byte[] text, int from) {
        if (from >= text.length) {
            return OTHER;
        }
        if (type == null) {
            return switch (text[from]) {
                case '"' -> string(text, from);
                case 't' -> literal(text, from, TRUE);
                case 'f' -> literal(text, from, FALSE);
                default -> int32(text, from);
            };
        }
        return switch (type) {
            case INT64 -> int64(text, from);
            case DOUBLE -> floating(text, from);
            case DATETIME -> sized(8, time(text, from));
            case GUID -> sized(16, guid(text, from));
            case BINARY -> binary(text, from);
            case STRING, BOOLEAN, INT32 -> OTHER;
        };
    }

    private int sized(int bytes, int end) {
        size = bytes;
        return end;
    }

    /** Returns the end of a text without escapes. */
    int string(byte[] text, int quote) {
        int from = quote + 1;
        int end = AsciiCopier.end(text, from, text.length);
        int chars = end - from;
        if (end < text.length && text[end] < 0) {
            end = afterOtherThanAscii(text, end);
            String decoded = new String(text, from, end - from, StandardCharsets.UTF_8);
            if (decoded.indexOf(REPLACEMENT) >= 0) {
                return OTHER;
            }
            chars = decoded.length();
        }
        boolean closed = quote < text.length && text[quote] == '"' && end < text.length && text[end] == '"';
        return closed && chars <= PropertyLimits.MAX_STRING_CHARS ? sized(4 + 2 * chars, end + 1) : OTHER;
    }

    private static int afterOtherThanAscii(byte[] text, int from) {
        int at = from;
        while (at < text.length && text[at] < 0) {
            at = AsciiCopier.end(text, at + 1, text.length);
        }
        return at;
    }

    private int literal(byte[] text, int from, byte[] word) {
        int end = from + word.length;
        return end <= text.length && Arrays.equals(text, from, end, word, 0, word.length) ? sized(1, end) : OTHER;
    }

    private int int32(byte[] text, int from) {
        int end = integer(text, from);
        if (end < 0) {
            return OTHER;
        }
        long value = 0;
        for (int i = text[from] == '-' ? from + 1 : from; i < end; i++) {
            value = value * 10 + text[i] - '0';
        }
        value = text[from] == '-' ? -value : value;
        return value == (int) value ? sized(4, end) : OTHER;
    }

    private int int64(byte[] text, int quote) {
        int end = text[quote] == '"' ? integer(text, quote + 1) : OTHER;
        return end > 0 && end < text.length && text[end] == '"' ? sized(8, end + 1) : OTHER;
    }

    /** Returns the end of a whole number that certainly fits in a long; minus zero is a decimal. */
    private static int integer(byte[] text, int from) {
        int first = from < text.length && text[from] == '-' ? from + 1 : from;
        int end = digits(text, first);
        int count = end - first;
        boolean plain = count == 1 ? text[first] != '0' || first == from : count > 1 && text[first] != '0';
        return plain && count <= MAX_DIGITS ? end : OTHER;
    }

    private static int digits(byte[] text, int from) {
        int at = from;
        while (at < text.length && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at;
    }

    private int floating(byte[] text, int from) {
        int first = text[from] == '-' ? from + 1 : from;
        int point = digits(text, first);
        int end = point < text.length && text[point] == '.' ? digits(text, point + 1) : point;
        int whole = point - first;
        int places = end - point - 1;
        boolean plain = whole >= 1
                && whole <= MAX_WHOLE
                && places >= 1
                && places <= MAX_PLACES
                && (places == 1 || text[end - 1] != '0')
                && (text[first] != '0' || isThousandth(text, first, point, end))
                && end < text.length
                && text[end] != 'E';
        return plain ? sized(8, end) : written(text, from);
    }

    /** Returns whether a decimal that begins with a zero has no other before the point, and is a thousandth or more. */
    private static boolean isThousandth(byte[] text, int first, int point, int end) {
        for (int i = point + 1; i < Math.min(end, point + 4); i++) {
            if (text[i] != '0') {
                return point == first + 1;
            }
        }
        return false;
    }

    /** Writes a number, and compares. */
    private int written(byte[] text, int from) {
        int end = from;
        while (end < text.length && isOfNumber(text[end])) {
            end++;
        }
        try {
            double value = Double.parseDouble(new String(text, from, end - from, StandardCharsets.ISO_8859_1));
            if (!Double.isFinite(value)) {
                return OTHER;
            }
            number.clear();
            Decimals.write(value, number);
        } catch (NumberFormatException other) {
            return OTHER;
        }
        return Arrays.equals(text, from, end, number.array(), 0, number.size()) ? sized(8, end) : OTHER;
    }

    private static boolean isOfNumber(byte b) {
        return (b >= '0' && b <= '9') || b == '.' || b == '-' || b == 'E';
    }

    /** Returns the end of a time in quotes. */
    static int time(byte[] text, int quote) {
        int from = quote + 1;
        int end = from + EdmDateTime.LENGTH;
        if (end >= text.length || text[quote] != '"' || text[end] != '"') {
            return OTHER;
        }
        int year = number(text, from, 4);
        int month = number(text, from + 5, 2);
        int day = number(text, from + 8, 2);
        boolean date = text[from + 4] == '-'
                && text[from + 7] == '-'
                && text[from + 10] == 'T'
                && year >= MIN_YEAR
                && month >= 1
                && month <= 12
                && day >= 1
                && (day <= 28 || day <= days(year, month));
        boolean time = text[from + 13] == ':'
                && text[from + 16] == ':'
                && text[from + 19] == '.'
                && text[from + 27] == 'Z'
                && isBelow(24, number(text, from + 11, 2))
                && isBelow(60, number(text, from + 14, 2))
                && isBelow(60, number(text, from + 17, 2))
                && number(text, from + 20, 7) >= 0;
        return date && time ? end + 1 : OTHER;
    }

    private static boolean isBelow(int bound, int number) {
        return number >= 0 && number < bound;
    }

    private static int days(int year, int month) {
        return switch (month) {
            case 2 -> (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    /** Returns so many digits as a number; a negative one if there are others. */
    private static int number(byte[] text, int from, int count) {
        int value = 0;
        for (int i = from; i < from + count; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return OTHER;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static int guid(byte[] text, int quote) {
        int from = quote + 1;
        int end = from + GUID_LENGTH;
        if (end >= text.length || text[quote] != '"' || text[end] != '"') {
            return OTHER;
        }
        for (int i = 0; i < GUID_LENGTH; i++) {
            byte b = text[from + i];
            boolean fits = GUID_FORM.charAt(i) == '-' ? b == '-' : (b >= '0' && b <= '9') || (b >= 'a' && b <= 'f');
            if (!fits) {
                return OTHER;
            }
        }
        return end + 1;
    }

    /** Returns the end of Base64 whose unused bits are zero. */
    private int binary(byte[] text, int quote) {
        int from = quote + 1;
        int at = from;
        while (at < text.length && text[at] >= 0 && SEXTETS[text[at]] >= 0) {
            at++;
        }
        int rest = (at - from) % 4;
        int end = rest == 0 ? at : at + 4 - rest;
        if (end >= text.length || text[quote] != '"' || text[end] != '"' || rest == 1) {
            return OTHER;
        }
        for (int i = at; i < end; i++) {
            if (text[i] != '=') {
                return OTHER;
            }
        }
        int unused = rest == 0 ? 0 : SEXTETS[text[at - 1]] & (rest == 2 ? 15 : 3);
        int bytes = (at - from) / 4 * 3 + Math.max(0, rest - 1);
        return unused == 0 && bytes <= PropertyLimits.MAX_BINARY_BYTES ? sized(4 + bytes, end + 1) : OTHER;
    }

    private static int[] sextets() {
        int[] sextets = new int[0x80];
        Arrays.fill(sextets, OTHER);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < alphabet.length(); i++) {
            sextets[alphabet.charAt(i)] = i;
        }
        return sextets;
    }
}
