package io.stowline.journal;

/**
 * The settings of a {@link Journal}: what an accepted operation survives, and the size.
 *
 * <pre>
 * fsync     false, records survive the end of the process
 * maxBytes  256 MiB of records that are not done
 * </pre>
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class JournalSettings {

    private static final long MIB = 1024 * 1024;
    private static final long MIN_BYTES = MIB;
    private static final long MAX_BYTES = 64 * 1024 * MIB;

    private final boolean fsync;
    private final long maxBytes;

    private JournalSettings(Builder given) {
        this.fsync = given.fsync;
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
     * Returns whether the disk confirms each record before its operation is accepted.
     *
     * @return whether records survive a crash of the machine
     */
    public boolean fsync() {
        return fsync;
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

        private boolean fsync;
        private long maxBytes = 256 * MIB;

        private Builder() {}

        /**
         * Sets whether the disk confirms a record before its operation is accepted. With {@code fsync}, once for all records that wait, the
         * operation survives a crash of the machine and a power cut. Without it the operating system has the record: it survives the end of
         * the process, {@code kill -9} included, and such a crash may take the records of the last seconds with it.
         *
         * @param confirmed true to wait for the disk; the default is false
         * @return this builder
         */
        public Builder fsync(boolean confirmed) {
            this.fsync = confirmed;
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
}
