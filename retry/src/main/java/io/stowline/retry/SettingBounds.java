package io.stowline.retry;

import java.time.Duration;
import java.util.Objects;

/** Checks of single settings; each refusal names the setting, its value and the limit. */
final class SettingBounds {

    /** Far beyond any operation, and small enough that nanoseconds of sums stay exact. */
    static final Duration LONGEST = Duration.ofDays(365);

    private SettingBounds() {}

    static Duration atLeast(String name, Duration value, Duration least) {
        Objects.requireNonNull(value, name);
        if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException(name + " must be at least " + least + " but was " + value);
        }
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be at most " + LONGEST + " but was " + value);
        }
        return value;
    }

    static int between(String name, int value, int least, int max) {
        if (value < least || value > max) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + max + " but was " + value);
        }
        return value;
    }
}
