package io.stowline.error.internal;

import java.time.Duration;
import java.util.Objects;

/** Checks of settings against their ranges, with messages that name the setting, its range and its value. */
public final class SettingRanges {

    private SettingRanges() {}

    /**
     * Refuses a value out of its range.
     *
     * @param name the setting
     * @param value its value
     * @param min the least that is allowed
     * @param max the largest that is allowed
     * @return the value
     */
    public static int between(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " is " + min + " to " + max + ", not " + value);
        }
        return value;
    }

    /**
     * Refuses a value out of its range.
     *
     * @param name the setting
     * @param value its value
     * @param min the least that is allowed
     * @param max the largest that is allowed
     * @return the value
     */
    public static Duration between(String name, Duration value, Duration min, Duration max) {
        Objects.requireNonNull(value, name);
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(name + " is " + min + " to " + max + ", not " + value);
        }
        return value;
    }
}
