package io.stowline.blob.internal.operations;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobItemProperties;
import com.azure.storage.blob.models.BlobProperties;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.transport.internal.outcome.SourceTime;
import io.stowline.transport.internal.request.HeaderValues;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a blob that a transfer of a directory needs. It keeps thousands of them, so that there are no more. Immutable.
 *
 * @param name its name below the directory
 * @param size its bytes; negative where they are unknown
 * @param etag the version, quoted; empty where it is unknown
 * @param modified when its content was last modified: the time of the file that it was made of, or else that of the blob; 1970 where it is
 *     unknown
 * @param fromFile whether the time is that of a file
 * @param contentMd5 the MD5 that its writer stored, or {@code null}
 * @param traits the rest of its facts; of a listing without snapshots nothing shows that it has some
 */
public record ListedBlob(
        String name,
        long size,
        String etag,
        Instant modified,
        boolean fromFile,
        @Nullable String contentMd5,
        Set<BlobTrait> traits) {

    /** The size of a blob whose listing does not give it. */
    private static final long UNKNOWN = -1;

    /**
     * Returns a blob that was read by itself.
     *
     * @param name its name below the directory
     */
    public static ListedBlob of(String name, Response<BlobProperties> response) {
        BlobProperties seen = response.getValue();
        return of(
                name,
                BlobInfoMapper.size(response),
                seen.getETag(),
                seen.getLastModified(),
                seen.getContentMd5(),
                seen.getMetadata(),
                BlobTrait.of(seen));
    }

    /**
     * Returns a blob of a listing. A name is all that a listing must give: some gateways leave out the rest.
     *
     * @param name its name below the directory
     */
    static ListedBlob of(String name, BlobItem item) {
        BlobItemProperties seen = item.getProperties() == null ? new BlobItemProperties() : item.getProperties();
        Long size = seen.getContentLength();
        return of(
                name,
                size == null ? UNKNOWN : size,
                seen.getETag(),
                seen.getLastModified(),
                seen.getContentMd5(),
                item.getMetadata(),
                BlobTrait.of(item));
    }

    /** The metadata have all entries, with those that users do not see. */
    private static ListedBlob of(
            String name,
            long size,
            @Nullable String etag,
            @Nullable OffsetDateTime modified,
            byte @Nullable [] md5,
            @Nullable Map<String, String> metadata,
            Set<BlobTrait> traits) {
        Instant time = SourceTime.of(metadata);
        Instant own = modified == null ? Instant.EPOCH : modified.toInstant();
        return new ListedBlob(
                name,
                size,
                etag == null ? "" : HeaderValues.quoted(etag),
                time == null ? own : time,
                time != null,
                md5 == null ? null : Base64.getEncoder().encodeToString(md5),
                traits);
    }

    /**
     * Returns the time of the last change of the content that was read: another version than the listed one has another
     * time.
     */
    public Instant timeOf(BlobInfo read) {
        return read.etag().equals(etag) && (fromFile || !modified.equals(Instant.EPOCH))
                ? modified
                : read.lastModified();
    }

    /** Returns the bytes that are expected to travel. */
    public long expected() {
        return Math.max(0, size);
    }

    /** Returns whether the listing shows this of it. */
    public boolean is(BlobTrait trait) {
        return traits.contains(trait);
    }

    /**
     * Returns why the service does not read it, or {@code null} if it does.
     *
     * @param withKey whether its requests name the key of an encrypted blob
     */
    public @Nullable BlobTrait unreadable(boolean withKey) {
        return BlobTrait.unreadable(traits, withKey);
    }

    /** Adds a trait to the blob. */
    public ListedBlob with(BlobTrait trait) {
        Set<BlobTrait> more = EnumSet.of(trait);
        more.addAll(traits);
        return new ListedBlob(name, size, etag, modified, fromFile, contentMd5, Set.copyOf(more));
    }
}
