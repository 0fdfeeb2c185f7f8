package io.stowline.projection.key;

/** A number from 0 on, with leading zeros. */
record KeyNumber(String name, int width) implements KeyPart {

    static final int MAX_DIGITS = 18;

    KeyNumber {
        if (width < 1 || width > MAX_DIGITS) {
            throw new IllegalArgumentException(
                    name + ": the number of digits is 1 to " + MAX_DIGITS + ", not " + width);
        }
    }

    @Override
    public String write(Object value) {
        long number = number(value);
        if (number < 0 || Long.toString(number).length() > width) {
            throw new IllegalArgumentException(name + ": " + number + " is out of 0 to " + "9".repeat(width));
        }
        return KeyDigits.of(number, width);
    }

    private long number(Object value) {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
            return ((Number) value).longValue();
        }
        return typed(Long.class, value);
    }

    @Override
    public Object read(String key, int start, int end) {
        long number = KeyDigits.read(key, start, end);
        if (number < 0) {
            throw unreadable(start, "a number of " + width + " digits");
        }
        return number;
    }
}
