package io.stowline.projection.key;

/** Decimal numbers of a fixed width, with leading zeros, which sort as they count. */
final class KeyDigits {

    private KeyDigits() {}

    static void append(StringBuilder text, long value, int width) {
        String digits = Long.toString(value);
        text.append("0".repeat(width - digits.length())).append(digits);
    }

    static String of(long value, int width) {
        StringBuilder text = new StringBuilder(width);
        append(text, value, width);
        return text.toString();
    }

    /** The number between two positions, or -1 if there is anything but a digit or more than a {@code long} holds. */
    static long read(String text, int start, int end) {
        long value = 0;
        for (int i = start; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
