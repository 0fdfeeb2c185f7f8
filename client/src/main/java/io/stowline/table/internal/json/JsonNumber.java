package io.stowline.table.internal.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A number in JSON, read to the end of its text. Not thread-safe; one instance serves many numbers, one after the other. */
public final class JsonNumber {

    /** The digits that fit in a long without a sign, as those of each long do. */
    private static final int MAX_DIGITS = 19;

    private static final int FARTHEST = 1_000_000;

    private final byte[] bytes;
    private int from;
    private int to;
    private boolean complete;
    private long digits;
    private int count;
    private int exponent;

    JsonNumber(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads the number that begins at a byte, and gives where it ends. */
    int read(int start) throws IOException {
        from = start;
        digits = 0;
        count = 0;
        exponent = 0;
        int at = negative() ? start + 1 : start;
        int integer = digits(at);
        if (integer > at + 1 && bytes[at] == '0') {
            throw malformed("a number begins with a zero");
        }
        int end = byteAt(integer) == '.' ? fraction(integer + 1) : integer;
        end = (byteAt(end) | 0x20) == 'e' ? power(end + 1) : end;
        boolean minusZero = negative() && count == 0;
        complete = end == integer && fitsLong() && !minusZero;
        to = end;
        return end;
    }

    private boolean negative() {
        return byteAt(from) == '-';
    }

    private boolean fitsLong() {
        return count < MAX_DIGITS || (count == MAX_DIGITS && (digits >= 0 || (negative() && digits == Long.MIN_VALUE)));
    }

    private int byteAt(int index) {
        return index < bytes.length ? bytes[index] : -1;
    }

    private int fraction(int start) throws IOException {
        int end = digits(start);
        exponent = start - end;
        return end;
    }

    /** Skips at least one digit; digits that do not fit are counted only. */
    private int digits(int start) throws IOException {
        int i = start;
        for (int c = byteAt(i); c >= '0' && c <= '9'; c = byteAt(++i)) {
            if (count > 0 || c != '0') {
                count++;
            }
            if (count <= MAX_DIGITS) {
                digits = digits * 10 + c - '0';
            }
        }
        if (i == start) {
            throw malformed("a number lacks digits");
        }
        return i;
    }

    private int power(int start) throws IOException {
        boolean signed = byteAt(start) == '-' || byteAt(start) == '+';
        int power = 0;
        int i = signed ? start + 1 : start;
        int first = i;
        for (int c = byteAt(i); c >= '0' && c <= '9'; c = byteAt(++i)) {
            power = Math.min(FARTHEST, power * 10 + c - '0');
        }
        if (i == first) {
            throw malformed("a number lacks the digits of its exponent");
        }
        exponent += byteAt(start) == '-' ? -power : power;
        return i;
    }

    private IOException malformed(String what) {
        return new IOException(what + ", at byte " + from + " of " + bytes.length);
    }

    /**
     * Returns whether it is written without fraction and exponent and fits in a long; minus zero is no such number.
     */
    public boolean isIntegral() {
        return complete;
    }

    /** Returns the value of a whole number. */
    public long integer() {
        return negative() ? -digits : digits;
    }

    /** Returns the double that is nearest to the number. */
    public double floating() throws IOException {
        double value = Decimals.known(count, exponent)
                ? Decimals.of(negative(), digits, count, exponent)
                : Double.parseDouble(text());
        if (Double.isInfinite(value)) {
            throw malformed("the number " + text() + " is beyond the range of a double");
        }
        return value;
    }

    /** Returns its text in the JSON. */
    public String text() {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
