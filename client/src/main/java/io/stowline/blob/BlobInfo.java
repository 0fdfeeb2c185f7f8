package io.stowline.blob;

import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.internal.rule.TypedMetadata;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.outcome.StoredTexts;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a blob, without its content.
 *
 * <p>The service gives all facts. A gateway or another implementation of it may leave out some, which fails nothing
 * that does not need them.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param name its name in the container
 * @param size its bytes; -1 where the response does not give them
 * @param etag its version, in quotes, for a condition of a later call; empty where the response does not give it
 * @param lastModified when it was last written, by the service's clock; 1970-01-01 where the response lacks it
 * @param type block, append or page blob; {@code null} where the response lacks it
 * @param headers the headers it is served with
 * @param contentMd5 the MD5 of the whole content in Base64 as its writer stored it, or {@code null} if none is stored
 * @param metadata its metadata; the map finds a name in any case, as the service does
 * @param tier the access tier, or {@code null} where the service does not give it: of append blobs and in responses to downloads
 * @param versionId which version this is, by which {@link BlobContainer#versionOf} finds it again; {@code null} where the account keeps
 *     none
 * @param copyStatus how the last server-side copy onto this blob ended, or that it has not: then its content is not there, and reading it
 *     is a {@link io.stowline.error.ConflictException}; {@code null} of a blob that is no target of a copy, or was written since
 * @param origin where this was read, and how old it may be
 */
public record BlobInfo(
        String name,
        long size,
        String etag,
        Instant lastModified,
        @Nullable BlobType type,
        BlobHeaders headers,
        @Nullable String contentMd5,
        Map<String, String> metadata,
        @Nullable AccessTier tier,
        @Nullable String versionId,
        @Nullable CopyStatusType copyStatus,
        ReadOrigin origin) {

    /**
     * Keeps its own copy of the metadata.
     *
     * @param name its name in the container
     * @param size its bytes; -1 where the response does not give them
     * @param etag its version, in quotes, for a condition of a later call; empty where the response does not give it
     * @param lastModified when it was last written, by the service's clock; 1970-01-01 where the response lacks it
     * @param type block, append or page blob; {@code null} where the response lacks it
     * @param headers the headers it is served with
     * @param contentMd5 the MD5 of the whole content in Base64 as its writer stored it, or {@code null} if none is stored
     * @param metadata its metadata; the map finds a name in any case, as the service does
     * @param tier the access tier, or {@code null} where the service does not give it: of append blobs and in responses to downloads
     * @param versionId which version this is, by which {@link BlobContainer#versionOf} finds it again; {@code null} where the account keeps
     *     none
     * @param copyStatus how the last server-side copy onto this blob ended, or that it has not: then its content is not
     *     there, and reading it is a {@link io.stowline.error.ConflictException}; {@code null} of a blob that is no
     *     target of a copy, or was written since
     * @param origin where this was read, and how old it may be
     */
    public BlobInfo {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(lastModified, "lastModified");
        Objects.requireNonNull(headers, "headers");
        Objects.requireNonNull(origin, "origin");
        metadata = StoredTexts.metadata(metadata);
    }

    /**
     * Makes the properties of a blob at the primary, without tier, version and copy.
     *
     * @param name its name in the container
     * @param size its bytes; -1 where the response does not give them
     * @param etag its version, in quotes, for a condition of a later call; empty where the response does not give it
     * @param lastModified when it was last written, by the service's clock; 1970-01-01 where the response lacks it
     * @param type block, append or page blob; {@code null} where the response lacks it
     * @param headers the headers it is served with
     * @param contentMd5 the MD5 of the whole content in Base64 as its writer stored it, or {@code null} if none is stored
     * @param metadata its metadata; the map finds a name in any case, as the service does
     */
    public BlobInfo(
            String name,
            long size,
            String etag,
            Instant lastModified,
            @Nullable BlobType type,
            BlobHeaders headers,
            @Nullable String contentMd5,
            Map<String, String> metadata) {
        this(
                name,
                size,
                etag,
                lastModified,
                type,
                headers,
                contentMd5,
                metadata,
                null,
                null,
                null,
                ReadOrigin.primary());
    }

    /**
     * Returns the metadata as a record, by the rules of {@link io.stowline.projection.EntityType}: each component is a name, in any case, and
     * its value is read from text. Names that no component has are left out.
     *
     * @param type the record, or another immutable class
     * @param <T> its type
     * @return the metadata
     * @throws io.stowline.projection.PropertyConversionException if a value is not of its component's type, or that of a primitive one is
     *     missing
     * @throws IllegalArgumentException if the type cannot be mapped
     */
    public <T> T metadataAs(Class<T> type) {
        return TypedMetadata.read(metadata, Objects.requireNonNull(type, "type"));
    }

    /**
     * Returns the same facts of the place that gave them.
     *
     * @param place where they were read
     * @return the facts with this origin
     */
    public BlobInfo withOrigin(ReadOrigin place) {
        return new BlobInfo(
                name,
                size,
                etag,
                lastModified,
                type,
                headers,
                contentMd5,
                metadata,
                tier,
                versionId,
                copyStatus,
                place);
    }

    @Override
    public String toString() {
        return PrintableText.of("BlobInfo[name=" + name + ", size=" + size + ", etag=" + etag + ", lastModified="
                + lastModified + ", type=" + type + ", headers=" + headers + ", contentMd5=" + contentMd5
                + ", metadata=" + metadata + ", tier=" + tier + ", versionId=" + versionId + ", copyStatus="
                + copyStatus + ", origin=" + origin + "]");
    }
}
