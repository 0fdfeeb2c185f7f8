package io.stowline.blob.internal.operations;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.BlobProperties;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.gzip.Expansion;
import io.stowline.blob.internal.request.ListedElement;
import io.stowline.transport.internal.outcome.OriginalContent;
import io.stowline.transport.internal.outcome.SourceTime;
import io.stowline.transport.internal.request.HeaderValues;
import java.time.Instant;
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
 * @param encoding how its content is encoded
 * @param traits the rest of its facts; of a listing without snapshots nothing shows that it has some
 */
public record ListedBlob(
        String name,
        long size,
        String etag,
        Instant modified,
        boolean fromFile,
        @Nullable String contentMd5,
        ContentEncoding encoding,
        Set<BlobTrait> traits) {

    /**
     * The encoding of a blob's content.
     *
     * @param gzip whether it is compressed
     * @param original the facts of the content before its compression, or {@code null} where they are unknown
     */
    public record ContentEncoding(boolean gzip, @Nullable OriginalContent original) {

        private static final ContentEncoding NONE = new ContentEncoding(false, null);
        private static final ContentEncoding FOREIGN = new ContentEncoding(true, null);

        /** The facts belong to content of their length only: another program may have replaced it, and kept the metadata. */
        static ContentEncoding of(@Nullable String encoding, @Nullable Map<String, String> metadata, long size) {
            if (!Expansion.isGzip(encoding)) {
                return NONE;
            }
            OriginalContent original = OriginalContent.of(metadata);
            return original != null && original.stored() == size ? new ContentEncoding(true, original) : FOREIGN;
        }
    }

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
                quoted(seen.getETag()),
                BlobInfoMapper.instant(seen.getLastModified()),
                md5(seen.getContentMd5()),
                seen.getContentEncoding(),
                seen.getMetadata(),
                BlobTrait.of(seen));
    }

    /**
     * Returns a blob of a listing. A name is all that a listing must give: some gateways leave out the rest.
     *
     * @param name its name below the directory
     */
    static ListedBlob of(String name, ListedElement seen) {
        return of(
                name,
                seen.size(),
                seen.etag(),
                seen.lastModified(),
                seen.contentMd5(),
                seen.contentEncoding(),
                seen.metadata(),
                BlobTrait.of(seen));
    }

    /** The metadata have all entries, with those that users do not see. */
    private static ListedBlob of(
            String name,
            long size,
            String etag,
            Instant modified,
            @Nullable String md5,
            @Nullable String encoding,
            @Nullable Map<String, String> metadata,
            Set<BlobTrait> traits) {
        Instant time = SourceTime.of(metadata);
        return new ListedBlob(
                name,
                size,
                etag,
                time == null ? modified : time,
                time != null,
                md5,
                ContentEncoding.of(encoding, metadata, size),
                traits);
    }

    private static String quoted(@Nullable String etag) {
        return etag == null ? "" : HeaderValues.quoted(etag);
    }

    private static @Nullable String md5(byte @Nullable [] hash) {
        return hash == null ? null : Base64.getEncoder().encodeToString(hash);
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

    /** Returns the blob with the length and the MD5 of its content before compression, where they are known. */
    public ListedBlob uncompressed() {
        OriginalContent original = encoding.original;
        return original == null
                ? this
                : new ListedBlob(name, original.length(), etag, modified, fromFile, original.md5(), encoding, traits);
    }

    /** Returns the facts of the content before compression that was read, or {@code null}: another version has others. */
    public @Nullable OriginalContent originalOf(BlobInfo read) {
        return read.etag().equals(etag) ? encoding.original : null;
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
        return new ListedBlob(name, size, etag, modified, fromFile, contentMd5, encoding, Set.copyOf(more));
    }
}
