package io.stowline.blob.internal.operations;

import com.azure.storage.blob.models.BlobProperties;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.transport.internal.outcome.SourceTime;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a transfer of a directory needs to know of a blob. It keeps thousands of them, so that there is no more. Immutable.
 *
 * @param name its name below the directory
 * @param etag the version, quoted
 * @param modified when its content was last modified: the time of the file that it was made of, or else that of the blob
 * @param fromFile whether the time is that of a file
 * @param contentMd5 the MD5 that its writer stored, or {@code null}
 * @param folder whether its metadata say that it only stands for a folder
 */
public record ListedBlob(
        String name,
        long size,
        String etag,
        Instant modified,
        boolean fromFile,
        @Nullable String contentMd5,
        boolean folder) {

    /**
     * A blob that was looked at by itself.
     *
     * @param name its name below the directory
     */
    public static ListedBlob of(String name, BlobProperties seen) {
        return of(name, BlobInfoMapper.of(name, seen), seen.getMetadata());
    }

    /** A blob whose metadata have all entries, with those that users do not see. */
    static ListedBlob of(String name, BlobInfo facts, @Nullable Map<String, String> metadata) {
        Instant time = SourceTime.of(metadata);
        return new ListedBlob(
                name,
                facts.size(),
                facts.etag(),
                time == null ? facts.lastModified() : time,
                time != null,
                facts.contentMd5(),
                standsForFolder(facts.metadata()));
    }

    private static boolean standsForFolder(Map<String, String> metadata) {
        return metadata.entrySet().stream()
                .anyMatch(entry ->
                        entry.getKey().equalsIgnoreCase("hdi_isfolder") && Boolean.parseBoolean(entry.getValue()));
    }
}
