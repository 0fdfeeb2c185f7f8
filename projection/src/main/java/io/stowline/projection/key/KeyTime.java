package io.stowline.projection.key;

import java.time.Instant;

/** A time as ticks, or as the ticks that are left until the end of 9999, so that later times come first. */
record KeyTime(String name, boolean reversed) implements KeyPart {

    private static final int DIGITS = 19;

    @Override
    public int width() {
        return DIGITS;
    }

    @Override
    public String write(Object value) {
        Instant time = typed(Instant.class, value);
        long ticks = KeyTicks.of(time);
        if (ticks < 0) {
            throw new IllegalArgumentException(name + ": " + time + " is out of the years 0001 to 9999");
        }
        return KeyDigits.of(reversed ? KeyTicks.MAX - ticks : ticks, DIGITS);
    }

    @Override
    public Object read(String key, int start, int end) {
        long ticks = KeyDigits.read(key, start, end);
        if (ticks < 0 || ticks > KeyTicks.MAX) {
            throw unreadable(start, "a time of " + DIGITS + " digits");
        }
        return KeyTicks.time(reversed ? KeyTicks.MAX - ticks : ticks);
    }
}
