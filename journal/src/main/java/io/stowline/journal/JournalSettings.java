package io.stowline.journal;

import java.util.Objects;

/**
 * The settings of a {@link Journal}: durability and size.
 *
 * <pre>
 * durability  PROCESS, records survive the end of the process
 * maxBytes    256 MiB of records that are not done
 * </pre>
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class JournalSettings {

    private static final long MIB = 1024 * 1024;
    private static final long MIN_BYTES = MIB;
    private static final long MAX_BYTES = 64 * 1024 * MIB;

    private final Durability durability;
    private final long maxBytes;

    private JournalSettings(Builder given) {
        this.durability = given.durability;
        this.maxBytes = given.maxBytes;
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
     * Returns when a record counts as being on disk.
     *
     * @return the durability
     */
    public Durability durability() {
        return durability;
    }

    /**
     * Returns how many bytes the records that are not done may have together. The folder takes up to about three times as much, and
     * 128 MiB.
     *
     * @return the number of bytes
     */
    public long maxBytes() {
        return maxBytes;
    }

    /** A builder that collects settings and checks each at once. Not safe for use by many threads. */
    public static final class Builder {

        private Durability durability = Durability.PROCESS;
        private long maxBytes = 256 * MIB;

        private Builder() {}

        /**
         * Sets when a record counts as being on disk.
         *
         * @param durability the durability
         * @return this builder
         */
        public Builder durability(Durability durability) {
            this.durability = Objects.requireNonNull(durability, "durability");
            return this;
        }

        /**
         * Sets how many bytes the records that are not done may have together; beyond it appends are refused.
         *
         * @param bytes the number of bytes, 1 MiB to 64 GiB
         * @return this builder
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder maxBytes(long bytes) {
            if (bytes < MIN_BYTES || bytes > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "maxBytes must be between " + MIN_BYTES + " and " + MAX_BYTES + " but was " + bytes);
            }
            this.maxBytes = bytes;
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         */
        public JournalSettings build() {
            return new JournalSettings(this);
        }
    }

    /** The durability of a record: when it counts as being on disk. */
    public enum Durability {
        /**
         * Accepts once the operating system has it: it survives the end of the process, {@code kill -9} included. A
         * crash of the machine or a power cut may take the records of the last seconds with it.
         */
        PROCESS,
        /**
         * Accepts once the disk has confirmed it ({@code fsync}, once for all records that were waiting): it survives a
         * crash of the machine, too.
         */
        MACHINE
    }
}
