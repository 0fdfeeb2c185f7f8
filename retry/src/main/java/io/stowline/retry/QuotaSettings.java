package io.stowline.retry;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a retry quota: its capacity, its refill and the costs of retries.
 *
 * <pre>
 * capacity         500 tokens, or more for a large parallelism, see sizedFor
 * transientCost    10, a retry after a timeout, a reset, a 500 ...
 * throttledCost    5, a retry after the service refused for load
 * refillPerSecond  50 tokens
 * </pre>
 *
 * <p>Unless it was set, the capacity follows the parallelism: twice what it takes to try every request in flight once more. One reset of
 * every connection therefore never empties it. Its floor and the smaller price of throttling are those of the AWS SDKs: the back-off and
 * the adaptive limit already slow throttled requests, and most of them will succeed, whereas a service that is down fails every request. As
 * a success gives one token back, there is in the long run at most one transient retry for ten successes, besides the refill.
 *
 * <p>The refill is what a caller that waits for tokens lives on when nothing succeeds. It allows 10 throttled or 5
 * transient retries a second: one in 2,000 of the 20,000 requests a second of an account, so that a hundred processes
 * add at most a twentieth. And it is enough for the client's largest parallelism: 64 batches that fail all through the
 * default ladder of 4 retries in 52 s take 2,560 tokens, where capacity and refill give 3,100. They are not slowed.
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class QuotaSettings {

    private static final int MAX_PARALLELISM = 100_000;
    private static final QuotaSettings DEFAULTS = builder().build();

    private static final int MIN_CAPACITY = 500;

    private final @Nullable Integer givenCapacity;
    private final int capacity;
    private final int transientCost;
    private final int throttledCost;
    private final int refillPerSecond;

    private QuotaSettings(Builder given) {
        this.givenCapacity = given.capacity;
        this.capacity = given.resolvedCapacity();
        this.transientCost = given.transientCost;
        this.throttledCost = given.throttledCost;
        this.refillPerSecond = given.refillPerSecond;
    }

    /**
     * Returns the defaults.
     *
     * @return the settings
     */
    public static QuotaSettings defaults() {
        return DEFAULTS;
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
     * Returns the number of tokens of a full quota.
     *
     * @return the capacity
     */
    public int capacity() {
        return capacity;
    }

    /**
     * Returns these settings for so many requests in flight.
     *
     * @param parallelism the most requests in flight, 1 to 100,000
     * @return the same settings, with the capacity that follows the parallelism unless one was set
     * @throws IllegalArgumentException if the number is out of range
     */
    public QuotaSettings sizedFor(int parallelism) {
        SettingBounds.between("parallelism", parallelism, 1, MAX_PARALLELISM);
        if (givenCapacity != null) {
            return this;
        }
        Builder sized = new Builder();
        sized.transientCost = transientCost;
        sized.throttledCost = throttledCost;
        sized.refillPerSecond = refillPerSecond;
        // The settle class has one permit more.
        sized.floor =
                Math.toIntExact(Math.min(Builder.MAX, 2L * (parallelism + 1) * Math.max(transientCost, throttledCost)));
        return new QuotaSettings(sized);
    }

    /**
     * Returns the tokens that a retry takes, unless the service refused for load.
     *
     * @return the cost
     */
    public int transientCost() {
        return transientCost;
    }

    /**
     * Returns the tokens that a retry takes after the service refused for load.
     *
     * @return the cost
     */
    public int throttledCost() {
        return throttledCost;
    }

    /**
     * Returns the tokens that come back with time alone.
     *
     * @return the tokens for each second
     */
    public int refillPerSecond() {
        return refillPerSecond;
    }

    @Override
    public String toString() {
        return "QuotaSettings[capacity=" + capacity + ", transientCost=" + transientCost + ", throttledCost="
                + throttledCost + ", refillPerSecond=" + refillPerSecond + "]";
    }

    /** A builder of {@link QuotaSettings}; every setter checks its value at once. Not safe for use by many threads. */
    public static final class Builder {

        private static final int MAX = 1_000_000;

        private @Nullable Integer capacity;
        private int floor;
        private int transientCost = 10;
        private int throttledCost = 5;
        private int refillPerSecond = 50;

        private Builder() {}

        /**
         * Sets the number of tokens of a full quota. The default follows the parallelism.
         *
         * @param capacity the number, 1 to 1,000,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder capacity(int capacity) {
            this.capacity = SettingBounds.between("capacity", capacity, 1, MAX);
            return this;
        }

        /**
         * Sets what a retry takes, unless the service refused for load.
         *
         * @param transientCost the tokens, 1 to the capacity
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder transientCost(int transientCost) {
            this.transientCost = SettingBounds.between("transientCost", transientCost, 1, MAX);
            return this;
        }

        /**
         * Sets what a retry takes after the service refused for load.
         *
         * @param throttledCost the tokens, 1 to the capacity
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder throttledCost(int throttledCost) {
            this.throttledCost = SettingBounds.between("throttledCost", throttledCost, 1, MAX);
            return this;
        }

        /**
         * Sets the tokens that come back with time alone.
         *
         * @param refillPerSecond the tokens for each second, 1 to 1,000,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder refillPerSecond(int refillPerSecond) {
            this.refillPerSecond = SettingBounds.between("refillPerSecond", refillPerSecond, 1, MAX);
            return this;
        }

        /**
         * Builds the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if a retry costs more than the capacity: it could never be paid
         */
        public QuotaSettings build() {
            SettingBounds.between("transientCost", transientCost, 1, resolvedCapacity());
            SettingBounds.between("throttledCost", throttledCost, 1, resolvedCapacity());
            return new QuotaSettings(this);
        }

        private int resolvedCapacity() {
            return capacity != null ? capacity : Math.max(floor, MIN_CAPACITY);
        }
    }
}
