package io.stowline.batching.internal.batch;

import java.time.Duration;

/** Checks of single settings; each refusal names the setting, its value and the limit. */
public final class BatchingBounds {

    private BatchingBounds() {}

    public static Duration between(String name, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(name + " must be between " + min + " and " + max + " but was " + value);
        }
        return value;
    }

    public static long between(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be between " + min + " and " + max + " but was " + value);
        }
        return value;
    }
}
