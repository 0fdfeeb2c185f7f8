package io.stowline.blob;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.internal.rule.TagRules;
import io.stowline.blob.internal.rule.TypedMetadata;
import io.stowline.transport.internal.outcome.MetadataRules;
import io.stowline.transport.internal.request.HeaderValues;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The settings of an upload.
 *
 * <pre>
 * overwrite    no: a blob that is there already is a conflict
 * headers      none; of a file the content type that the end of its name stands for
 * metadata     none
 * tags         none
 * tier         that of the account
 * blockSize    8 MiB; content up to it travels in one request, longer content in blocks of it
 * parallelism  4 blocks in flight
 * gzip         no: the content is stored as it is
 * progress     no listener
 * </pre>
 *
 * <p>All transfers of a client share one memory: a quarter of the heap, at most 128 MiB. An upload of a stream takes at most
 * {@code blockSize * (parallelism + 1)} bytes of it, 40 MiB by default. The blocks of a file stay in the file: it takes at most 448 KiB for
 * each block in flight and one more, 2.2 MiB by default. Transfers that wait for memory are served in FIFO order.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param overwrite whether a blob of this name may be replaced
 * @param ifMatch the ETag, in quotes, of the only version to replace; empty for any
 * @param headers the headers that the blob is served with
 * @param metadata the metadata
 * @param tags the tags
 * @param tier the access tier; empty for the default of the account
 * @param ifTags the condition on the tags of the blob that is replaced
 * @param blockSize the size of a block, in bytes
 * @param parallelism how many blocks may be in flight
 * @param gzip whether content is compressed where that helps
 * @param progress the listener of the progress
 */
public record UploadSettings(
        boolean overwrite,
        Optional<String> ifMatch,
        BlobHeaders headers,
        Map<String, String> metadata,
        Map<String, String> tags,
        Optional<AccessTier> tier,
        Optional<BlobTagFilter> ifTags,
        int blockSize,
        int parallelism,
        boolean gzip,
        Optional<Consumer<? super TransferProgress>> progress) {

    /** The largest block in bytes, 2,000 MiB: the service takes blocks of 4,000 MiB, but a block of a stream stays in memory until it is stored. */
    public static final int MAX_BLOCK = 2_000 * 1024 * 1024;

    private static final int MAX_PARALLELISM = 1_000;

    private static final UploadSettings DEFAULTS = new UploadSettings(
            false,
            Optional.empty(),
            BlobHeaders.none(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            8 * 1024 * 1024,
            4,
            false,
            Optional.empty());

    /**
     * Checks that all settings are there and go together. {@link Builder#metadata} checks new metadata; here it may be that of another blob,
     * whose names and values are older than the rules.
     *
     * @param overwrite whether a blob of this name may be replaced
     * @param ifMatch the ETag, in quotes, of the only version to replace; empty for any
     * @param headers the headers that the blob is served with
     * @param metadata the metadata
     * @param tags the tags
     * @param tier the access tier; empty for the default of the account
     * @param ifTags the condition on the tags of the blob that is replaced
     * @param blockSize the size of a block, in bytes
     * @param parallelism how many blocks may be in flight
     * @param gzip whether content is compressed where that helps
     * @param progress the listener of the progress
     * @throws IllegalArgumentException if there is a condition on tags, and no blob may be replaced
     */
    public UploadSettings {
        ifMatch = ifMatch.map(HeaderValues::etag);
        Objects.requireNonNull(headers, "headers");
        metadata = Map.copyOf(metadata);
        tags = TagRules.check(tags);
        Objects.requireNonNull(tier, "tier");
        Objects.requireNonNull(ifTags, "ifTags");
        blockSize(blockSize);
        parallelism(parallelism);
        Objects.requireNonNull(progress, "progress");
        if (ifTags.isPresent() && !overwrite && ifMatch.isEmpty()) {
            throw new IllegalArgumentException("ifTags is about a blob that is there: set overwrite() or ifMatch too");
        }
    }

    /**
     * Returns the defaults.
     *
     * @return the settings
     */
    public static UploadSettings defaults() {
        return DEFAULTS;
    }

    /**
     * Begins with the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return DEFAULTS.toBuilder();
    }

    /**
     * Begins with these settings.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        return new Builder(this);
    }

    private static int blockSize(int bytes) {
        if (bytes < 1 || bytes > MAX_BLOCK) {
            throw new IllegalArgumentException("blockSize is 1 to " + MAX_BLOCK + " bytes, not " + bytes);
        }
        return bytes;
    }

    private static int parallelism(int blocks) {
        if (blocks < 1 || blocks > MAX_PARALLELISM) {
            throw new IllegalArgumentException("parallelism is 1 to " + MAX_PARALLELISM + ", not " + blocks);
        }
        return blocks;
    }

    /** A builder of {@link UploadSettings}; every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private boolean overwrite;
        private Optional<String> ifMatch;
        private BlobHeaders headers;
        private Map<String, String> metadata;
        private Map<String, String> tags;
        private Optional<AccessTier> tier;
        private Optional<BlobTagFilter> ifTags;
        private int blockSize;
        private int parallelism;
        private boolean gzip;
        private Optional<Consumer<? super TransferProgress>> progress;

        private Builder(UploadSettings from) {
            this.overwrite = from.overwrite;
            this.ifMatch = from.ifMatch;
            this.headers = from.headers;
            this.metadata = from.metadata;
            this.tags = from.tags;
            this.tier = from.tier;
            this.ifTags = from.ifTags;
            this.blockSize = from.blockSize;
            this.parallelism = from.parallelism;
            this.gzip = from.gzip;
            this.progress = from.progress;
        }

        /**
         * Replaces a blob that is there already, whatever its version.
         *
         * @return this builder
         */
        public Builder overwrite() {
            this.overwrite = true;
            return this;
        }

        /**
         * Replaces this version and no other; stronger than {@link #overwrite()}.
         *
         * @param etag the ETag that an earlier call gave
         * @return this builder
         * @throws IllegalArgumentException if the ETag is empty or cannot stand in a header
         */
        public Builder ifMatch(String etag) {
            this.ifMatch = Optional.of(HeaderValues.etag(etag));
            return this;
        }

        /**
         * Sets the media type that the blob is served with. An upload of a file begins with the type that the end of the blob's name, or else of
         * the file's name, stands for, such as {@code text/html} of {@code index.html}. Where there is none the service serves the blob as
         * {@code application/octet-stream}.
         *
         * @param contentType such as {@code text/plain}
         * @return this builder
         * @throws IllegalArgumentException if it cannot stand in a header
         */
        public Builder contentType(String contentType) {
            return headers(with -> with.contentType(contentType));
        }

        /**
         * Sets how long readers may keep the blob.
         *
         * @param cacheControl such as {@code max-age=3600}
         * @return this builder
         * @throws IllegalArgumentException if it cannot stand in a header
         */
        public Builder cacheControl(String cacheControl) {
            return headers(with -> with.cacheControl(cacheControl));
        }

        /**
         * Sets any of the headers that the blob is served with.
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
         * @param metadata names and values, all of it at most 8 KiB; with less than 49 bytes to spare an upload leaves
         *     no marker, and after a lost response its content decides
         * @return this builder
         * @throws IllegalArgumentException if a name is no identifier, or {@code stowlinewrite}, {@code
         *     stowlinemodified} or {@code stowlinegzip}, a value cannot stand in a header, or all of it is too large
         */
        public Builder metadata(Map<String, String> metadata) {
            this.metadata = MetadataRules.check(metadata);
            return this;
        }

        /**
         * Sets the blob's metadata to the components of a record; see {@link BlobInfo#metadataAs}. An absent value is left out.
         *
         * @param metadata the record, by the rules of {@link io.stowline.projection.EntityType}
         * @return this builder
         * @throws IllegalArgumentException if the type cannot be mapped, or its names or values cannot be metadata; see {@link #metadata}
         */
        public Builder metadataOf(Object metadata) {
            this.metadata = TypedMetadata.of(metadata);
            return this;
        }

        /**
         * Sets the blob's tags, by which it can be found.
         *
         * @param tags at most 10, with names of 1 to 128 and values of up to 256 characters: letters, digits, space and {@code + - . / : = _}
         * @return this builder
         * @throws IllegalArgumentException if there are too many, or a name or value is too long or has another character
         */
        public Builder tags(Map<String, String> tags) {
            this.tags = TagRules.check(tags);
            return this;
        }

        /**
         * Sets the access tier of the blob.
         *
         * @param tier such as {@link AccessTier#COOL}
         * @return this builder
         */
        public Builder tier(AccessTier tier) {
            this.tier = Optional.of(Objects.requireNonNull(tier, "tier"));
            return this;
        }

        /**
         * Replaces a blob only if its tags match the condition; to be used with {@link #overwrite()} or {@link #ifMatch}. Checked at the commit. If they
         * are not, or there is no blob, the upload is a {@link io.stowline.error.PreconditionFailedException}.
         *
         * @param condition the condition
         * @return this builder
         */
        public Builder ifTags(BlobTagFilter condition) {
            this.ifTags = Optional.of(Objects.requireNonNull(condition, "condition"));
            return this;
        }

        /**
         * Sets the size of a block. The service takes 50,000 blocks, so that it bounds the length of the content too: 390 GiB by default.
         *
         * @param bytes 1 to 2,000 MiB
         * @return this builder
         * @throws IllegalArgumentException if the size is out of range
         */
        public Builder blockSize(int bytes) {
            this.blockSize = UploadSettings.blockSize(bytes);
            return this;
        }

        /**
         * Sets how many blocks may be in flight.
         *
         * @param blocks 1 to 1,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder parallelism(int blocks) {
            this.parallelism = UploadSettings.parallelism(blocks);
            return this;
        }

        /**
         * Compresses the content on its way, where that helps: content of at least 1 KiB whose first 64 KiB become at least a tenth smaller is
         * stored as gzip with the {@code Content-Encoding} {@code gzip}, other content as it is, and so is content for which {@link #headers}
         * set a {@code Content-Encoding}. Compressed content travels in memory as that of a stream does. The size, the MD5 and the progress are
         * those of what is stored. Downloads expand it; see {@link DownloadSettings.Builder#asStored}.
         *
         * @return this builder
         */
        public Builder gzip() {
            this.gzip = true;
            return this;
        }

        /**
         * Sets a listener of the progress. It is called on the callback threads where something moves, at most every 100 ms, and once at the
         * end; one call at a time. What it throws is logged once. It is not called for a {@link BlobWriter}, nor for the blobs of a
         * directory, whose settings have their own.
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
         * @throws IllegalArgumentException if {@code ifTags} is set without {@code overwrite} or {@code ifMatch}
         */
        public UploadSettings build() {
            return new UploadSettings(
                    overwrite, ifMatch, headers, metadata, tags, tier, ifTags, blockSize, parallelism, gzip, progress);
        }
    }
}
