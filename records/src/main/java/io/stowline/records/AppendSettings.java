package io.stowline.records;

import java.time.Duration;
import java.util.Objects;

/**
 * The settings by which a {@link RecordWriter} puts its chunks into append blobs, where a reader sees them soon.
 *
 * <pre>
 * linger   1 s, how long a chunk waits for more records
 * rollAt   1 GiB, the bytes at which a blob ends; it ends at 49,000 appends and with its interval, too
 * lease    60 s, which the writer has of the blob that it appends to, and renews at its half
 * </pre>
 *
 * <p>Each chunk is one append, which the service counts as one transaction. Immutable and thread-safe.
 */
public final class AppendSettings {

    private static final AppendSettings DEFAULTS = builder().build();

    private final Duration linger;
    private final long rollAt;
    private final Duration lease;

    private AppendSettings(Builder given) {
        this.linger = given.linger;
        this.rollAt = given.rollAt;
        this.lease = given.lease;
    }

    /**
     * Returns the defaults.
     *
     * @return the settings
     */
    public static AppendSettings defaults() {
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
     * Returns a builder that holds these settings.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        return new Builder().linger(linger).rollAt(rollAt).lease(lease);
    }

    /**
     * Returns how long a chunk waits for more records, from its first one on.
     *
     * @return the time
     */
    public Duration linger() {
        return linger;
    }

    /**
     * Returns the bytes that a blob may have.
     *
     * @return the number of bytes
     */
    public long rollAt() {
        return rollAt;
    }

    /**
     * Returns the duration of the lease.
     *
     * @return the duration
     */
    public Duration lease() {
        return lease;
    }

    @Override
    public String toString() {
        return "AppendSettings[linger=" + linger + ", rollAt=" + rollAt + ", lease=" + lease + "]";
    }

    /** A builder of {@link AppendSettings}; every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private static final long KIB = 1024;
        private static final long GIB = KIB * KIB * KIB;

        private Duration linger = Duration.ofSeconds(1);
        private long rollAt = GIB;
        private Duration lease = Duration.ofSeconds(60);

        private Builder() {}

        /**
         * Sets how long a chunk waits for more records, from its first one on. Each wait costs one append at most: one of 1 s makes up to
         * 86,400 a day and writer.
         *
         * @param time the time, 10 ms to 1 minute
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder linger(Duration time) {
            this.linger = between("linger", time, Duration.ofMillis(10), Duration.ofMinutes(1));
            return this;
        }

        /**
         * Sets the bytes that a blob may have. The chunk that would go beyond begins the next blob; a chunk that is longer has a blob to
         * itself.
         *
         * @param bytes the number, 64 KiB to 195 GiB
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder rollAt(long bytes) {
            this.rollAt = between("rollAt", bytes, 64 * KIB, 195 * GIB);
            return this;
        }

        /**
         * Sets the duration of the lease of the blob that the writer appends to. Other clients cannot write the blob for so long after a
         * crash of this process; a writer of the same journal does not wait for it.
         *
         * @param duration whole seconds, 15 s to 60 s
         * @return this builder
         * @throws IllegalArgumentException if the duration is out of range
         */
        public Builder lease(Duration duration) {
            between("lease", duration, Duration.ofSeconds(15), Duration.ofSeconds(60));
            if (!duration.equals(Duration.ofSeconds(duration.toSeconds()))) {
                throw new IllegalArgumentException("lease is in whole seconds, but was " + duration);
            }
            this.lease = duration;
            return this;
        }

        /**
         * Builds the settings.
         *
         * @return the settings
         */
        public AppendSettings build() {
            return new AppendSettings(this);
        }

        private static <V extends Comparable<V>> V between(String name, V value, V min, V max) {
            Objects.requireNonNull(value, name);
            if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
                throw new IllegalArgumentException(
                        name + " must be between " + min + " and " + max + " but was " + value);
            }
            return value;
        }
    }
}
