package io.stowline.projection.key;

import java.util.random.RandomGenerator;

/** Hexadecimal digits of lower case that say nothing: drawn from a generator, or those that were drawn before. */
record KeyRandom(String name, int width) implements KeyPart {

    static final int MAX_DIGITS = 32;

    KeyRandom {
        if (width < 1 || width > MAX_DIGITS) {
            throw new IllegalArgumentException(
                    name + ": the number of digits is 1 to " + MAX_DIGITS + ", not " + width);
        }
    }

    @Override
    public String write(Object value) {
        if (value instanceof RandomGenerator generator) {
            return drawn(generator);
        }
        if (value instanceof String digits && digits.length() == width && firstOther(digits, 0, width) < 0) {
            return digits;
        }
        throw new IllegalArgumentException(name + ": a " + value.getClass().getName() + " is given, but it takes a"
                + " RandomGenerator, or a String of " + width + " hexadecimal digits in lower case");
    }

    private String drawn(RandomGenerator generator) {
        StringBuilder digits = new StringBuilder(width);
        for (int i = 0; i < width; i++) {
            digits.append(Character.forDigit(generator.nextInt(16), 16));
        }
        return digits.toString();
    }

    @Override
    public Object read(String key, int start, int end) {
        int other = firstOther(key, start, end);
        if (other >= 0) {
            throw unreadable(other, "a hexadecimal digit in lower case");
        }
        return key.substring(start, end);
    }

    private static int firstOther(String text, int start, int end) {
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return i;
            }
        }
        return -1;
    }
}
