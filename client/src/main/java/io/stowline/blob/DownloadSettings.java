package io.stowline.blob;

import io.stowline.transport.internal.request.HeaderValues;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
 * progress     no listener
 * </pre>
 *
 * <p>Immutable and safe to share between threads.
 */
public final class DownloadSettings {

    private static final DownloadSettings DEFAULTS = new Builder().build();

    private final int parallelism;
    private final int rangeSize;
    private final ChecksumPolicy checksum;
    private final boolean resume;
    private final int limit;
    private final @Nullable Range range;
    private final @Nullable String ifMatch;
    private final @Nullable BlobTagFilter ifTags;
    private final @Nullable Consumer<? super TransferProgress> progress;

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
     * A part of a blob.
     *
     * @param from where it begins
     * @param length its bytes; a blob that ends before has fewer
     */
    public record Range(long from, long length) {

        /**
         * Checks both.
         *
         * @param from where it begins, not negative
         * @param length its bytes, at least 1
         * @throws IllegalArgumentException if one is out of range
         */
        public Range {
            if (from < 0 || length < 1) {
                throw new IllegalArgumentException(
                        "a range begins at 0 or later and has at least 1 byte, not from " + from + " length " + length);
            }
        }
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

    private DownloadSettings(Builder builder) {
        this.parallelism = builder.parallelism;
        this.rangeSize = builder.rangeSize;
        this.checksum = builder.checksum;
        this.resume = builder.resume;
        this.limit = builder.limit;
        this.range = builder.range;
        this.ifMatch = builder.ifMatch;
        this.ifTags = builder.ifTags;
        this.progress = builder.progress;
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

    /**
     * Returns how many ranges may be in flight.
     *
     * @return the number
     */
    public int parallelism() {
        return parallelism;
    }

    /**
     * Returns the largest range that one request reads.
     *
     * @return bytes
     */
    public int rangeSize() {
        return rangeSize;
    }

    /**
     * Returns what becomes of content that differs from the stored MD5.
     *
     * @return the policy
     */
    public ChecksumPolicy checksum() {
        return checksum;
    }

    /**
     * Returns whether a download to a file can be resumed.
     *
     * @return true by default
     */
    public boolean resume() {
        return resume;
    }

    /**
     * Returns the most bytes that a download into memory takes.
     *
     * @return bytes
     */
    public int limit() {
        return limit;
    }

    /**
     * Returns the part of the blob that is read.
     *
     * @return the part, or empty for the whole blob
     */
    public Optional<Range> range() {
        return Optional.ofNullable(range);
    }

    /** Returns the position at which the part begins. */
    long from() {
        return range == null ? 0 : range.from();
    }

    /**
     * Returns the only version that is read.
     *
     * @return its ETag, in quotes, if it was set
     */
    public Optional<String> ifMatch() {
        return Optional.ofNullable(ifMatch);
    }

    /**
     * Returns the condition on the blob's tags.
     *
     * @return the condition, if one was set
     */
    public Optional<BlobTagFilter> ifTags() {
        return Optional.ofNullable(ifTags);
    }

    /**
     * Returns the listener.
     *
     * @return what shows the progress, if it was set
     */
    public Optional<Consumer<? super TransferProgress>> progress() {
        return Optional.ofNullable(progress);
    }

    /** Collects {@link DownloadSettings}; every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private static final int SMALLEST_RANGE = 64 << 10;
        private static final int LARGEST_RANGE = 256 << 20;
        private static final int MAX_PARALLELISM = 1_000;

        private int parallelism = 4;
        private int rangeSize = 8 << 20;
        private ChecksumPolicy checksum = ChecksumPolicy.IF_STORED;
        private boolean resume = true;
        private int limit = BlobContainer.DOWNLOAD_LIMIT;
        private @Nullable Range range;
        private @Nullable String ifMatch;
        private @Nullable BlobTagFilter ifTags;
        private @Nullable Consumer<? super TransferProgress> progress;

        private Builder() {}

        /**
         * Sets how many ranges may be in flight.
         *
         * @param ranges 1 to 1,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder parallelism(int ranges) {
            if (ranges < 1 || ranges > MAX_PARALLELISM) {
                throw new IllegalArgumentException("parallelism is 1 to " + MAX_PARALLELISM + ", not " + ranges);
            }
            this.parallelism = ranges;
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
            if (bytes < SMALLEST_RANGE || bytes > LARGEST_RANGE) {
                throw new IllegalArgumentException(
                        "rangeSize is " + SMALLEST_RANGE + " to " + LARGEST_RANGE + " bytes, not " + bytes);
            }
            this.rangeSize = bytes;
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
            if (bytes < 0) {
                throw new IllegalArgumentException("limit is not negative, but was " + bytes);
            }
            this.limit = bytes;
            return this;
        }

        /**
         * Reads a part of the blob, into memory or a stream. Its MD5 is not checked, since the service stores that of the whole.
         *
         * @param from where the part begins, not negative
         * @param length its bytes, at least 1; a blob that ends before has fewer
         * @return this builder
         * @throws IllegalArgumentException if one is out of range
         */
        public Builder range(long from, long length) {
            this.range = new Range(from, length);
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
            this.ifMatch = HeaderValues.etag(Objects.requireNonNull(etag, "etag"));
            return this;
        }

        /**
         * Reads the blob only if its tags are so when the download begins; otherwise it fails with a
         * {@link io.stowline.error.PreconditionFailedException}. Tags that change after that do not matter. A secondary place, where reads may
         * go to one, has the tags that have reached it.
         *
         * @param condition what its tags must be
         * @return this builder
         */
        public Builder ifTags(BlobTagFilter condition) {
            this.ifTags = Objects.requireNonNull(condition, "condition");
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
            this.progress = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         */
        public DownloadSettings build() {
            return new DownloadSettings(this);
        }
    }
}
