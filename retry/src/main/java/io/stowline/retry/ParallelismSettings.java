package io.stowline.retry;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of attempts in flight at a time, fixed or adaptive.
 *
 * <pre>
 * start   8, the limit at first and after a long rest
 * most    64
 * least   1
 * window  1 s, the limit changes at most once in it
 * </pre>
 *
 * <p>Where {@code least} is {@code most} the limit stays. Immutable and safe for use by many threads.
 */
public final class ParallelismSettings {

    private static final int MAX_PERMITS = 100_000;
    private static final Duration MIN_WINDOW = Duration.ofMillis(10);
    private static final ParallelismSettings ADAPTIVE = builder().build();

    private final int start;
    private final int max;
    private final int min;
    private final Duration window;

    private ParallelismSettings(Builder given) {
        this.start = given.start;
        this.max = given.max;
        this.min = given.min;
        this.window = given.window;
    }

    /**
     * Returns settings whose limit stays the same.
     *
     * @param permits the limit, 1 to 100,000
     * @return the settings
     * @throws IllegalArgumentException if the number is out of range
     */
    public static ParallelismSettings fixed(int permits) {
        SettingBounds.between("permits", permits, 1, MAX_PERMITS);
        Builder all = builder();
        all.start = permits;
        all.max = permits;
        all.min = permits;
        return all.build();
    }

    /**
     * Returns the defaults, which adapt.
     *
     * @return the settings
     */
    public static ParallelismSettings adaptive() {
        return ADAPTIVE;
    }

    /**
     * Returns a builder that holds the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the limit at first.
     *
     * @return the number of permits
     */
    public int start() {
        return start;
    }

    /**
     * Returns the highest limit.
     *
     * @return the number of permits
     */
    public int max() {
        return max;
    }

    /**
     * Returns the lowest limit.
     *
     * @return the number of permits
     */
    public int min() {
        return min;
    }

    /**
     * Returns the time in which the limit changes at most once.
     *
     * @return the time
     */
    public Duration window() {
        return window;
    }

    /**
     * Returns whether the limit changes at all.
     *
     * @return whether the lowest limit is below the highest one
     */
    public boolean adapts() {
        return min < max;
    }

    @Override
    public String toString() {
        return "ParallelismSettings[start=" + start + ", max=" + max + ", min=" + min + ", window=" + window + "]";
    }

    /** A builder of {@link ParallelismSettings}; every setter checks its value at once. Not safe for use by many threads. */
    public static final class Builder {

        private int start = 8;
        private int max = 64;
        private int min = 1;
        private Duration window = Duration.ofSeconds(1);

        private Builder() {}

        /**
         * Sets the limit at first.
         *
         * @param permits the number, 1 to 100,000; at {@link #build()} between min and max
         * @return this
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder start(int permits) {
            start = SettingBounds.between("start", permits, 1, MAX_PERMITS);
            return this;
        }

        /**
         * Sets the highest limit.
         *
         * @param permits the number, 1 to 100,000
         * @return this
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder max(int permits) {
            max = SettingBounds.between("max", permits, 1, MAX_PERMITS);
            return this;
        }

        /**
         * Sets the lowest limit.
         *
         * @param permits the number, 1 to 100,000
         * @return this
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder min(int permits) {
            min = SettingBounds.between("min", permits, 1, MAX_PERMITS);
            return this;
        }

        /**
         * Sets the time in which the limit changes at most once.
         *
         * @param time the time, 10 ms to 365 days
         * @return this
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder window(Duration time) {
            window = SettingBounds.atLeast("window", Objects.requireNonNull(time, "window"), MIN_WINDOW);
            return this;
        }

        /**
         * Returns the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if start is not between min and max
         */
        public ParallelismSettings build() {
            if (min > max) {
                throw new IllegalArgumentException("min must be at most max (" + max + ") but was " + min);
            }
            SettingBounds.between("start", start, min, max);
            return new ParallelismSettings(this);
        }
    }
}
