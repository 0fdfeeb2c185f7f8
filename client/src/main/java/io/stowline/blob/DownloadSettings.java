package io.stowline.blob;

import io.stowline.transport.internal.request.HeaderValues;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The settings of a download.
 *
 * <pre>
 * parallelism  4 ranges in flight
 * rangeSize    8 MiB; less where the heap is small
 * checksum     IF_STORED: content that differs from the stored MD5 is an error
 * resume       yes: a download to a file goes on where an earlier one ended
 * limit        64 MiB; the most bytes that a download into memory takes
 * range        the whole blob
 * ifMatch      any version
 * ifTags       no condition
 * asStored     no: a blob with the Content-Encoding gzip is expanded
 * maxExpansion 200 times the stored bytes beyond 64 MiB, and 64 GiB
 * progress     no listener
 * </pre>
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param parallelism how many ranges may be in flight
 * @param rangeSize the largest range that one request reads, in bytes
 * @param checksum the reaction to content that differs from the stored MD5
 * @param resume whether a download to a file can be resumed
 * @param limit the most bytes that a download into memory takes
 * @param from where the part that is read begins, in bytes
 * @param length its bytes at most; {@link Long#MAX_VALUE} for all up to the end of the blob
 * @param ifMatch the ETag, in quotes, of the only version that is read; empty for any
 * @param ifTags the condition on the blob's tags
 * @param asStored whether a blob with the Content-Encoding gzip is read as it is stored
 * @param maxRatio how many expanded bytes one stored byte may have, of content that expands to more than 64 MiB
 * @param maxExpanded the most bytes that a blob may expand to
 * @param progress the listener of the progress
 */
public record DownloadSettings(
        int parallelism,
        int rangeSize,
        ChecksumPolicy checksum,
        boolean resume,
        int limit,
        long from,
        long length,
        Optional<String> ifMatch,
        Optional<BlobTagFilter> ifTags,
        boolean asStored,
        int maxRatio,
        long maxExpanded,
        Optional<Consumer<? super TransferProgress>> progress) {

    private static final int SMALLEST_RANGE = 64 << 10;
    private static final int MAX_RANGE = 256 << 20;
    private static final int MAX_PARALLELISM = 1_000;

    /** The expanded bytes that deflate can make of one. */
    private static final int MAX_RATIO = 1_032;

    private static final DownloadSettings DEFAULTS = new Builder().build();

    /** The reaction of a download to a stored MD5 that differs from that of the content that arrived. */
    public enum ChecksumPolicy {
        /** Such a download fails with a {@link io.stowline.error.ProtocolException}. A blob without a stored MD5 is checked by its length. */
        IF_STORED,
        /** The client logs a warning, and the download succeeds. */
        LOG,
        /** The MD5 is not computed. The length is checked all the same. */
        OFF
    }

    /**
     * The result of a download to a file.
     *
     * @param blob the blob that was read
     * @param bytesResumed bytes that an earlier download of the same version had written
     * @param restarted whether an earlier download was discarded because the blob has another version now
     */
    public record FileDownload(BlobInfo blob, long bytesResumed, boolean restarted) {

        /**
         * Checks that the blob is not null.
         *
         * @param blob the blob that was read
         * @param bytesResumed bytes that an earlier download of the same version had written
         * @param restarted whether an earlier download was discarded because the blob has another version now
         */
        public FileDownload {
            Objects.requireNonNull(blob, "blob");
        }
    }

    /**
     * Checks that all settings are there; {@link Builder} checks their values.
     *
     * @param parallelism how many ranges may be in flight
     * @param rangeSize the largest range that one request reads, in bytes
     * @param checksum the reaction to content that differs from the stored MD5
     * @param resume whether a download to a file can be resumed
     * @param limit the most bytes that a download into memory takes
     * @param from where the part that is read begins, in bytes
     * @param length its bytes at most
     * @param ifMatch the ETag of the only version that is read
     * @param ifTags the condition on the blob's tags
     * @param asStored whether a blob with the Content-Encoding gzip is read as it is stored
     * @param maxRatio how many expanded bytes one stored byte may have, of content that expands to more than 64 MiB
     * @param maxExpanded the most bytes that a blob may expand to
     * @param progress the listener of the progress
     */
    public DownloadSettings {
        parallelism(parallelism);
        rangeSize(rangeSize);
        Objects.requireNonNull(checksum, "checksum");
        limit(limit);
        range(from, length);
        ifMatch = ifMatch.map(HeaderValues::etag);
        Objects.requireNonNull(ifTags, "ifTags");
        expansion(maxRatio, maxExpanded);
        Objects.requireNonNull(progress, "progress");
    }

    /**
     * Returns the defaults.
     *
     * @return the settings
     */
    public static DownloadSettings defaults() {
        return DEFAULTS;
    }

    /**
     * Begins with the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    private static int parallelism(int ranges) {
        if (ranges < 1 || ranges > MAX_PARALLELISM) {
            throw new IllegalArgumentException("parallelism is 1 to " + MAX_PARALLELISM + ", not " + ranges);
        }
        return ranges;
    }

    private static int rangeSize(int bytes) {
        if (bytes < SMALLEST_RANGE || bytes > MAX_RANGE) {
            throw new IllegalArgumentException(
                    "rangeSize is " + SMALLEST_RANGE + " to " + MAX_RANGE + " bytes, not " + bytes);
        }
        return bytes;
    }

    private static int limit(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("limit is not negative, but was " + bytes);
        }
        return bytes;
    }

    private static void range(long from, long length) {
        if (from < 0 || length < 1) {
            throw new IllegalArgumentException(
                    "a range begins at 0 or later and has at least 1 byte, not from " + from + " length " + length);
        }
    }

    static void expansion(int ratio, long bytes) {
        if (ratio < 1 || ratio > MAX_RATIO || bytes < 0) {
            throw new IllegalArgumentException("maxExpansion has a ratio of 1 to " + MAX_RATIO
                    + " and bytes that are not negative, not a ratio of " + ratio + " and " + bytes + " bytes");
        }
    }

    /** A builder of {@link DownloadSettings}; every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private int parallelism = 4;
        private int rangeSize = 8 << 20;
        private ChecksumPolicy checksum = ChecksumPolicy.IF_STORED;
        private boolean resume = true;
        private int limit = 64 << 20;
        private long from;
        private long length = Long.MAX_VALUE;
        private Optional<String> ifMatch = Optional.empty();
        private Optional<BlobTagFilter> ifTags = Optional.empty();
        private boolean asStored;
        private int maxRatio = 200;
        private long maxExpanded = 64L << 30;
        private Optional<Consumer<? super TransferProgress>> progress = Optional.empty();

        private Builder() {}

        /**
         * Sets how many ranges may be in flight.
         *
         * @param ranges 1 to 1,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder parallelism(int ranges) {
            this.parallelism = DownloadSettings.parallelism(ranges);
            return this;
        }

        /**
         * Sets the largest range that one request reads. Each range in flight is held in memory; a client with a small heap reads smaller
         * ones.
         *
         * @param bytes 64 KiB to 256 MiB
         * @return this builder
         * @throws IllegalArgumentException if the size is out of range
         */
        public Builder rangeSize(int bytes) {
            this.rangeSize = DownloadSettings.rangeSize(bytes);
            return this;
        }

        /**
         * Sets what becomes of content that differs from the stored MD5. Only that of a block blob counts, read as a whole.
         *
         * @param policy the policy
         * @return this builder
         */
        public Builder checksum(ChecksumPolicy policy) {
            this.checksum = Objects.requireNonNull(policy, "policy");
            return this;
        }

        /**
         * Sets whether a download to a file can be resumed. If not, a download that fails leaves no part of the file behind.
         *
         * @param resume whether it can
         * @return this builder
         */
        public Builder resume(boolean resume) {
            this.resume = resume;
            return this;
        }

        /**
         * Sets the most bytes that a download into memory takes; streams and files have no limit.
         *
         * @param bytes 0 or more
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder limit(int bytes) {
            this.limit = DownloadSettings.limit(bytes);
            return this;
        }

        /**
         * Reads a part of the blob, into memory or a stream; of a blob with the {@code Content-Encoding} {@code gzip} only {@link #asStored}. Its MD5 is not checked, since the service stores that of the whole.
         *
         * @param from where the part begins, not negative
         * @param length its bytes, at least 1; a blob that ends before has fewer
         * @return this builder
         * @throws IllegalArgumentException if one is out of range
         */
        public Builder range(long from, long length) {
            DownloadSettings.range(from, length);
            this.from = from;
            this.length = length;
            return this;
        }

        /**
         * Reads the blob only in this version; a {@link io.stowline.error.PreconditionFailedException} if the present one is another. An append
         * blob that grows after the download has begun is read up to the length that it had.
         *
         * @param etag the version, as {@link BlobInfo#etag} has it
         * @return this builder
         * @throws IllegalArgumentException if it is empty or cannot stand in a header
         */
        public Builder ifMatch(String etag) {
            this.ifMatch = Optional.of(HeaderValues.etag(Objects.requireNonNull(etag, "etag")));
            return this;
        }

        /**
         * Reads the blob only if its tags match the condition when the download begins; otherwise it fails with a
         * {@link io.stowline.error.PreconditionFailedException}. Tags that change after that do not matter. A secondary place, where reads may
         * go to one, has the tags that have reached it.
         *
         * @param condition what its tags must be
         * @return this builder
         */
        public Builder ifTags(BlobTagFilter condition) {
            this.ifTags = Optional.of(Objects.requireNonNull(condition, "condition"));
            return this;
        }

        /**
         * Reads a blob as it is stored. By default a blob with the {@code Content-Encoding} {@code gzip} is expanded, whichever program wrote it:
         * content that is no gzip, ends too early or has other bytes behind its end is a {@link io.stowline.error.ProtocolException}. Size,
         * stored MD5 and {@link #range} are those of the stored bytes, and so a range of such a blob needs this setting.
         *
         * @return this builder
         */
        public Builder asStored() {
            this.asStored = true;
            return this;
        }

        /**
         * Sets how far a blob with the {@code Content-Encoding} {@code gzip} may expand, as a guard against content that a few bytes let fill a
         * disk. {@link DirectorySettings.Builder#maxExpansion} sets it for a directory. One that goes further is an {@link IllegalStateException}. The ratio does not refuse up to 64 MiB.
         *
         * @param ratio how many expanded bytes a stored byte may have, 1 to 1,032, which is the most that the format has
         * @param bytes the most expanded bytes, not negative
         * @return this builder
         * @throws IllegalArgumentException if one is out of range
         */
        public Builder maxExpansion(int ratio, long bytes) {
            DownloadSettings.expansion(ratio, bytes);
            this.maxRatio = ratio;
            this.maxExpanded = bytes;
            return this;
        }

        /**
         * Sets a listener of the progress. It is called at most every 100 ms and once at the end, one call at a time, on a callback thread of
         * the client; what it throws is logged once. Of content that is opened it counts the bytes that its reader has taken, and its end is
         * that of the content or the close, whichever comes first.
         *
         * @param listener shows the progress
         * @return this builder
         */
        public Builder progress(Consumer<? super TransferProgress> listener) {
            this.progress = Optional.of(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         */
        public DownloadSettings build() {
            return new DownloadSettings(
                    parallelism,
                    rangeSize,
                    checksum,
                    resume,
                    limit,
                    from,
                    length,
                    ifMatch,
                    ifTags,
                    asStored,
                    maxRatio,
                    maxExpanded,
                    progress);
        }
    }
}
