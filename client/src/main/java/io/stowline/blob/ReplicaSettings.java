package io.stowline.blob;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The settings of the copies of hot blobs.
 *
 * <pre>
 * seed         random, once for each process
 * startWithin  0: the first read begins at once
 * expireAfter  none: copies stay until they are removed
 * </pre>
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param seed the number of this instance, which chooses its copy
 * @param startWithin the time over which instances spread their first read
 * @param expireAfter the time that copies are read and kept, from their publication
 */
public record ReplicaSettings(long seed, Duration startWithin, Optional<Duration> expireAfter) {

    private static final long PROCESS = new SplittableRandom().nextLong();
    private static final Duration MAX_START = Duration.ofDays(1);
    private static final Duration MAX_EXPIRY = Duration.ofDays(365);

    /**
     * Checks that all settings are there and in their limits.
     *
     * @param seed the number of this instance
     * @param startWithin the time over which instances spread their first read
     * @param expireAfter the time that copies are read and kept
     */
    public ReplicaSettings {
        startWithin(startWithin);
        expireAfter.ifPresent(ReplicaSettings::expireAfter);
    }

    private static Duration startWithin(Duration window) {
        if (Objects.requireNonNull(window, "window").isNegative() || window.compareTo(MAX_START) > 0) {
            throw new IllegalArgumentException("startWithin is 0 to " + MAX_START + ", not " + window);
        }
        return window;
    }

    private static Duration expireAfter(Duration time) {
        if (Objects.requireNonNull(time, "time").isNegative() || time.isZero() || time.compareTo(MAX_EXPIRY) > 0) {
            throw new IllegalArgumentException("expireAfter is more than 0 and up to " + MAX_EXPIRY + ", not " + time);
        }
        return time;
    }

    /**
     * Begins with the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder of {@link ReplicaSettings}; every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private long seed = PROCESS;
        private Duration startWithin = Duration.ZERO;
        private Optional<Duration> expireAfter = Optional.empty();

        private Builder() {}

        /**
         * Sets the number of this instance. Instances with one seed read the same copy; the index of a machine in its group is a good seed.
         *
         * @param seed any number
         * @return this builder
         */
        public Builder seed(long seed) {
            this.seed = seed;
            return this;
        }

        /**
         * Spreads the first reads of many instances over a time: each waits for a part of it that its seed chooses, from the moment that its
         * {@link BlobReplicas} is made. Later reads do not wait.
         *
         * @param window 0 to one day
         * @return this builder
         * @throws IllegalArgumentException if it is negative or longer
         */
        public Builder startWithin(Duration window) {
            this.startWithin = ReplicaSettings.startWithin(window);
            return this;
        }

        /**
         * Ends copies some time after their publication. The end stands in the metadata of each copy, so that no reader uses it later. In
         * the process that published, the client of each copy's container removes the copy then, if that client is still open; the client
         * of the source may be closed. {@link BlobReplicas#remove} removes what stays.
         *
         * @param time more than 0, up to 365 days
         * @return this builder
         * @throws IllegalArgumentException if it is not positive or longer
         */
        public Builder expireAfter(Duration time) {
            this.expireAfter = Optional.of(ReplicaSettings.expireAfter(time));
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         */
        public ReplicaSettings build() {
            return new ReplicaSettings(seed, startWithin, expireAfter);
        }
    }
}
