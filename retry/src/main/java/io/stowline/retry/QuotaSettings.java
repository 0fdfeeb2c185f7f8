package io.stowline.retry;

/**
 * What retries cost and how much of it there is.
 *
 * <pre>
 * capacity         500 tokens
 * transientCost    10, a retry after a timeout, a reset, a 500 ...
 * throttledCost    5, a retry after the service refused for load
 * refillPerSecond  50 tokens
 * </pre>
 *
 * <p>The capacity and the smaller price of throttling are those of the AWS SDKs: what was throttled is slowed by the
 * back-off and by the adaptive limit already, and most of it will succeed, whereas a service that is down answers
 * nobody. As a success gives one token back, there is in the long run at most one transient retry for ten successes,
 * besides the refill.
 *
 * <p>The refill is what a caller that waits for tokens lives on when nothing succeeds. It allows 10 throttled or 5
 * transient retries a second: one in 2,000 of the 20,000 requests a second of an account, so that a hundred processes
 * add at most a twentieth. And it is enough for the client's largest parallelism: 64 batches that fail all through the
 * default ladder of 4 retries in 52 s take 2,560 tokens, where capacity and refill give 3,100. They are not slowed.
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class QuotaSettings {

    private static final QuotaSettings DEFAULTS = builder().build();

    private final int capacity;
    private final int transientCost;
    private final int throttledCost;
    private final int refillPerSecond;

    private QuotaSettings(Builder given) {
        this.capacity = given.capacity;
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

    /** Collects {@link QuotaSettings}; every setter checks its value at once. Not safe for use by many threads. */
    public static final class Builder {

        private static final int MOST = 1_000_000;

        private int capacity = 500;
        private int transientCost = 10;
        private int throttledCost = 5;
        private int refillPerSecond = 50;

        private Builder() {}

        /**
         * Sets the number of tokens of a full quota.
         *
         * @param capacity the number, 1 to 1,000,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder capacity(int capacity) {
            this.capacity = Bounds.between("capacity", capacity, 1, MOST);
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
            this.transientCost = Bounds.between("transientCost", transientCost, 1, MOST);
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
            this.throttledCost = Bounds.between("throttledCost", throttledCost, 1, MOST);
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
            this.refillPerSecond = Bounds.between("refillPerSecond", refillPerSecond, 1, MOST);
            return this;
        }

        /**
         * Builds the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if a retry costs more than the capacity: it could never be paid
         */
        public QuotaSettings build() {
            Bounds.between("transientCost", transientCost, 1, capacity);
            Bounds.between("throttledCost", throttledCost, 1, capacity);
            return new QuotaSettings(this);
        }
    }
}
