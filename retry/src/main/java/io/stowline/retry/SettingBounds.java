package io.stowline.retry;

import java.time.Duration;
import java.util.Objects;

/** Checks of single settings; each refusal names the setting, its value and the limit. */
final class SettingBounds {

    /** Far beyond any operation, and small enough that nanoseconds of sums stay exact. */
    static final Duration MAX = Duration.ofDays(365);

    private SettingBounds() {}

    static Duration atLeast(String name, Duration value, Duration min) {
        Objects.requireNonNull(value, name);
        if (value.compareTo(min) < 0) {
            throw new IllegalArgumentException(name + " must be at least " + min + " but was " + value);
        }
        if (value.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(name + " must be at most " + MAX + " but was " + value);
        }
        return value;
    }

    static int between(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be between " + min + " and " + max + " but was " + value);
        }
        return value;
    }
}
