package io.stowline.blob.internal.operations;

import com.azure.storage.blob.models.BlobProperties;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.transport.internal.outcome.SourceTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A blob beside the time of the file that it was made of. Immutable.
 *
 * @param sourceTime when its file was last modified, or {@code null} if its writer kept no time
 */
public record ListedBlob(BlobInfo facts, @Nullable Instant sourceTime) {

    /** A blob that was looked at by itself. */
    public static ListedBlob of(String name, BlobProperties seen) {
        return new ListedBlob(BlobInfoMapper.of(name, seen), SourceTime.of(seen.getMetadata()));
    }

    /** When its content was last modified: the time of its file, or else that of the blob. */
    public Instant modified() {
        return sourceTime == null ? facts.lastModified() : sourceTime;
    }
}
