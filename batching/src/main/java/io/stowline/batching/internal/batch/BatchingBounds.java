package io.stowline.batching.internal.batch;

import java.time.Duration;

/** Checks of single settings; each refusal names the setting, its value and the limit. */
public final class BatchingBounds {

    private BatchingBounds() {}

    public static Duration between(String name, Duration value, Duration least, Duration max) {
        if (value.compareTo(least) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + max + " but was " + value);
        }
        return value;
    }

    public static long between(String name, long value, long least, long max) {
        if (value < least || value > max) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + max + " but was " + value);
        }
        return value;
    }
}
