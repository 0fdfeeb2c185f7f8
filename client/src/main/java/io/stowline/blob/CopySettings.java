package io.stowline.blob;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.internal.rule.TagRules;
import io.stowline.blob.internal.rule.TypedMetadata;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.outcome.MetadataRules;
import io.stowline.transport.internal.request.HeaderValues;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The settings of a copy that the service makes.
 *
 * <pre>
 * overwrite      no: a blob that is there already is a conflict
 * sourceIfMatch  any: the version that the source has when the copy begins
 * headers        those of the source
 * metadata       those of the source
 * tags           none
 * sourceTags     no: those of the source are not copied
 * tier           that of the account
 * blockSize      256 MiB; a source up to it is copied in one request, a longer one in blocks of it
 * parallelism    4 blocks in flight
 * progress       no listener
 * </pre>
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param overwrite whether a blob of this name may be replaced
 * @param ifMatch the ETag, in quotes, of the only version to replace; empty for any
 * @param ifTags the condition on the tags of the blob that is replaced
 * @param sourceIfMatch the ETag, in quotes, of the only version of the source to copy; empty for the present one
 * @param headers changes the headers of the source to those that the copy is served with
 * @param metadata the metadata; empty for those of the source
 * @param tags the tags
 * @param sourceTags whether the tags of the source are copied
 * @param tier the access tier; empty for the default of the account
 * @param blockSize the size of a block, in bytes
 * @param parallelism how many blocks may be in flight
 * @param progress the listener of the progress
 */
public record CopySettings(
        boolean overwrite,
        Optional<String> ifMatch,
        Optional<BlobTagFilter> ifTags,
        Optional<String> sourceIfMatch,
        UnaryOperator<BlobHeaders.Builder> headers,
        Optional<Map<String, String>> metadata,
        Map<String, String> tags,
        boolean sourceTags,
        Optional<AccessTier> tier,
        int blockSize,
        int parallelism,
        Optional<Consumer<? super TransferProgress>> progress) {

    private static final CopySettings DEFAULTS = new CopySettings(
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            source -> source,
            Optional.empty(),
            Map.of(),
            false,
            Optional.empty(),
            StorageLimits.COPY_MAX_SINGLE_BYTES,
            4,
            Optional.empty());

    /**
     * Checks that all settings are there and go together.
     *
     * @param overwrite whether a blob of this name may be replaced
     * @param ifMatch the ETag, in quotes, of the only version to replace; empty for any
     * @param ifTags the condition on the tags of the blob that is replaced
     * @param sourceIfMatch the ETag, in quotes, of the only version of the source to copy; empty for the present one
     * @param headers changes the headers of the source to those that the copy is served with
     * @param metadata the metadata; empty for those of the source
     * @param tags the tags
     * @param sourceTags whether the tags of the source are copied
     * @param tier the access tier; empty for the default of the account
     * @param blockSize the size of a block, in bytes
     * @param parallelism how many blocks may be in flight
     * @param progress the listener of the progress
     * @throws IllegalArgumentException if there is a condition on tags, and no blob may be replaced; both tags and
     *     {@code sourceTags} are set; or a number is out of range
     */
    public CopySettings {
        sourceIfMatch = sourceIfMatch.map(HeaderValues::etag);
        Objects.requireNonNull(headers, "headers");
        metadata = metadata.map(MetadataRules::check);
        UploadSettings target = new UploadSettings(
                overwrite,
                ifMatch,
                BlobHeaders.none(),
                Map.of(),
                tags,
                tier,
                ifTags,
                blockSize,
                parallelism,
                false,
                progress);
        ifMatch = target.ifMatch();
        tags = target.tags();
        if (sourceTags && !tags.isEmpty()) {
            throw new IllegalArgumentException("sourceTags copies the tags of the source, and tags(..) sets others: "
                    + tags.keySet() + "; set one of both");
        }
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

    /** A builder of {@link CopySettings}. Not thread-safe. */
    public static final class Builder {

        private boolean overwrite;
        private Optional<String> ifMatch;
        private Optional<BlobTagFilter> ifTags;
        private Optional<String> sourceIfMatch;
        private UnaryOperator<BlobHeaders.Builder> headers;
        private Optional<Map<String, String>> metadata;
        private Map<String, String> tags;
        private boolean sourceTags;
        private Optional<AccessTier> tier;
        private int blockSize;
        private int parallelism;
        private Optional<Consumer<? super TransferProgress>> progress;

        private Builder(CopySettings from) {
            this.overwrite = from.overwrite;
            this.ifMatch = from.ifMatch;
            this.ifTags = from.ifTags;
            this.sourceIfMatch = from.sourceIfMatch;
            this.headers = from.headers;
            this.metadata = from.metadata;
            this.tags = from.tags;
            this.sourceTags = from.sourceTags;
            this.tier = from.tier;
            this.blockSize = from.blockSize;
            this.parallelism = from.parallelism;
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
         * Replaces a blob only if its tags match the condition; to be used with {@link #overwrite()} or {@link #ifMatch}.
         *
         * @param condition the condition
         * @return this builder
         */
        public Builder ifTags(BlobTagFilter condition) {
            this.ifTags = Optional.of(Objects.requireNonNull(condition, "condition"));
            return this;
        }

        /**
         * Copies this version of the source and no other. By default the version that the source has when the copy begins is copied.
         *
         * @param etag the ETag that an earlier call gave
         * @return this builder
         * @throws IllegalArgumentException if the ETag is empty or cannot stand in a header
         */
        public Builder sourceIfMatch(String etag) {
            this.sourceIfMatch = Optional.of(HeaderValues.etag(etag));
            return this;
        }

        /**
         * Sets any of the headers that the copy is served with; the others are those of the source.
         *
         * @param change changes the headers of the source
         * @return this builder
         */
        public Builder headers(UnaryOperator<BlobHeaders.Builder> change) {
            this.headers = Objects.requireNonNull(change, "change");
            return this;
        }

        /**
         * Sets the metadata of the copy, in place of those of the source.
         *
         * @param metadata names and values, all of it at most 8 KiB
         * @return this builder
         * @throws IllegalArgumentException if a name is no identifier, or reserved, a value cannot stand in a header, or all of it is too large
         */
        public Builder metadata(Map<String, String> metadata) {
            this.metadata = Optional.of(MetadataRules.check(metadata));
            return this;
        }

        /**
         * Sets the metadata of the copy to the components of a record; see {@link BlobInfo#metadataAs}.
         *
         * @param metadata the record, by the rules of {@link io.stowline.projection.EntityType}
         * @return this builder
         * @throws IllegalArgumentException if the type cannot be mapped, or its names or values cannot be metadata
         */
        public Builder metadataOf(Object metadata) {
            this.metadata = Optional.of(TypedMetadata.of(metadata));
            return this;
        }

        /**
         * Sets the tags of the copy, which has none by default.
         *
         * @param tags at most 10, as {@link UploadSettings.Builder#tags} takes them
         * @return this builder
         * @throws IllegalArgumentException if there are too many, or a name or value is too long or has another character
         */
        public Builder tags(Map<String, String> tags) {
            this.tags = TagRules.check(tags);
            return this;
        }

        /**
         * Copies the tags of the source: one more request, by its client, which needs the permission to read tags. A source
         * that is given as an address has no such client.
         *
         * @return this builder
         */
        public Builder sourceTags() {
            this.sourceTags = true;
            return this;
        }

        /**
         * Sets the access tier of the copy.
         *
         * @param tier such as {@link AccessTier#COOL}
         * @return this builder
         */
        public Builder tier(AccessTier tier) {
            this.tier = Optional.of(Objects.requireNonNull(tier, "tier"));
            return this;
        }

        /**
         * Sets the size of a block. Smaller blocks are more requests, each of which needs less time.
         *
         * @param bytes 1 to 2,000 MiB
         * @return this builder
         */
        public Builder blockSize(int bytes) {
            this.blockSize = bytes;
            return this;
        }

        /**
         * Sets how many blocks may be in flight.
         *
         * @param blocks 1 to 1,000
         * @return this builder
         */
        public Builder parallelism(int blocks) {
            this.parallelism = blocks;
            return this;
        }

        /**
         * Sets a listener of the progress, as {@link UploadSettings.Builder#progress} does: it moves with each block.
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
         * @throws IllegalArgumentException if {@code ifTags} is set without {@code overwrite} or {@code ifMatch}, {@code sourceTags} beside
         *     {@code tags}, or a number is out of range
         */
        public CopySettings build() {
            return new CopySettings(
                    overwrite,
                    ifMatch,
                    ifTags,
                    sourceIfMatch,
                    headers,
                    metadata,
                    tags,
                    sourceTags,
                    tier,
                    blockSize,
                    parallelism,
                    progress);
        }
    }
}
