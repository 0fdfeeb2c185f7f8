package io.stowline.blob.internal.operations;

import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobProperties;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.transport.internal.outcome.SourceTime;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a blob that a transfer of a directory needs. It keeps thousands of them, so that there are no more. Immutable.
 *
 * @param name its name below the directory
 * @param etag the version, quoted
 * @param modified when its content was last modified: the time of the file that it was made of, or else that of the blob
 * @param fromFile whether the time is that of a file
 * @param contentMd5 the MD5 that its writer stored, or {@code null}
 * @param traits the rest of its facts; of a listing without snapshots nothing says that it has some
 */
public record ListedBlob(
        String name,
        long size,
        String etag,
        Instant modified,
        boolean fromFile,
        @Nullable String contentMd5,
        Set<BlobTrait> traits) {

    /**
     * A blob that was read by itself.
     *
     * @param name its name below the directory
     */
    public static ListedBlob of(String name, BlobProperties seen) {
        return of(name, BlobInfoMapper.of(name, seen), seen.getMetadata(), BlobTrait.of(seen));
    }

    /**
     * A blob of a listing.
     *
     * @param name its name below the directory
     */
    static ListedBlob of(String name, BlobItem item) {
        return of(name, BlobInfoMapper.of(item), item.getMetadata(), BlobTrait.of(item));
    }

    /** A blob whose metadata have all entries, with those that users do not see. */
    private static ListedBlob of(
            String name, BlobInfo facts, @Nullable Map<String, String> metadata, Set<BlobTrait> traits) {
        Instant time = SourceTime.of(metadata);
        return new ListedBlob(
                name,
                facts.size(),
                facts.etag(),
                time == null ? facts.lastModified() : time,
                time != null,
                facts.contentMd5(),
                traits);
    }

    /** Whether the listing shows this of it. */
    public boolean is(BlobTrait trait) {
        return traits.contains(trait);
    }

    /** Why the service does not read it, or {@code null} if it does. */
    public @Nullable BlobTrait unreadable() {
        return BlobTrait.unreadable(traits);
    }

    /** The same blob, which has snapshots. */
    ListedBlob withSnapshots() {
        Set<BlobTrait> more = EnumSet.of(BlobTrait.SNAPSHOTS);
        more.addAll(traits);
        return new ListedBlob(name, size, etag, modified, fromFile, contentMd5, Set.copyOf(more));
    }
}
