package io.stowline.blob;

import io.stowline.transport.internal.outcome.MetadataRules;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The settings of the creation of a page blob, and of the upload of a file to one.
 *
 * <pre>
 * overwrite       no: a blob of this name is an error
 * sequenceNumber  0
 * headers         none
 * metadata        none
 * parallelism     4 pieces of an upload in flight
 * </pre>
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param overwrite whether a blob that is there is replaced, with all its content
 * @param sequenceNumber the first sequence number
 * @param headers the headers that the blob is served with
 * @param metadata its metadata
 * @param parallelism how many pieces of a file may be in flight
 */
public record PageBlobSettings(
        boolean overwrite, long sequenceNumber, BlobHeaders headers, Map<String, String> metadata, int parallelism) {

    private static final int MAX_PARALLELISM = 1_000;

    /**
     * The result of the upload of a file.
     *
     * @param blob the blob when all of the file was in it
     * @param bytesSent how many bytes of the file this call has sent
     * @param bytesResumed bytes with data that an earlier upload of this file had sent
     */
    public record FileUpload(PageBlobInfo blob, long bytesSent, long bytesResumed) {

        /**
         * Checks that the blob is there.
         *
         * @param blob the blob when all of the file was in it
         * @param bytesSent how many bytes of the file this call has sent
         * @param bytesResumed bytes with data that an earlier upload of this file had sent
         */
        public FileUpload {
            Objects.requireNonNull(blob, "blob");
        }
    }

    /**
     * Checks that all settings are there and in their limits.
     *
     * @param overwrite whether a blob that is there is replaced
     * @param sequenceNumber the first sequence number
     * @param headers the headers that the blob is served with
     * @param metadata its metadata
     * @param parallelism how many pieces of a file may be in flight
     */
    public PageBlobSettings {
        sequenceNumber(sequenceNumber);
        Objects.requireNonNull(headers, "headers");
        metadata = MetadataRules.check(metadata);
        parallelism(parallelism);
    }

    /**
     * Begins with the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    private static long sequenceNumber(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("sequenceNumber is not negative, but was " + number);
        }
        return number;
    }

    private static int parallelism(int pieces) {
        if (pieces < 1 || pieces > MAX_PARALLELISM) {
            throw new IllegalArgumentException("parallelism is 1 to " + MAX_PARALLELISM + ", not " + pieces);
        }
        return pieces;
    }

    /** A builder of {@link PageBlobSettings}; every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private boolean overwrite;
        private long sequenceNumber;
        private BlobHeaders headers = BlobHeaders.none();
        private Map<String, String> metadata = Map.of();
        private int parallelism = 4;

        private Builder() {}

        /**
         * Replaces a blob that is there already, of whatever type: its content is gone when the new one is created.
         *
         * @return this builder
         */
        public Builder overwrite() {
            this.overwrite = true;
            return this;
        }

        /**
         * Sets the first sequence number.
         *
         * @param number 0 or more
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder sequenceNumber(long number) {
            this.sequenceNumber = PageBlobSettings.sequenceNumber(number);
            return this;
        }

        /**
         * Sets the headers that the blob is served with.
         *
         * @param change changes the headers set so far
         * @return this builder
         * @throws IllegalArgumentException if one cannot stand in a header
         */
        public Builder headers(UnaryOperator<BlobHeaders.Builder> change) {
            BlobHeaders.Builder changed =
                    Objects.requireNonNull(change, "change").apply(headers.toBuilder());
            this.headers =
                    Objects.requireNonNull(changed, "change gave no builder").build();
            return this;
        }

        /**
         * Sets the blob's metadata.
         *
         * @param metadata names and values, all of it at most 8 KiB less 200 bytes for markers of the creation and of an upload
         * @return this builder
         * @throws IllegalArgumentException if a name is no identifier or reserved, a value cannot stand in a header, or all of it is too
         *     large
         */
        public Builder metadata(Map<String, String> metadata) {
            this.metadata = MetadataRules.check(metadata);
            return this;
        }

        /**
         * Sets how many pieces of a file, of at most 4 MiB each, may be in flight.
         *
         * @param pieces 1 to 1,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder parallelism(int pieces) {
            this.parallelism = PageBlobSettings.parallelism(pieces);
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         */
        public PageBlobSettings build() {
            return new PageBlobSettings(overwrite, sequenceNumber, headers, metadata, parallelism);
        }
    }
}
