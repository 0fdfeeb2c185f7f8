package io.stowline.blob.internal.recovery;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.BlobContainerProperties;
import com.azure.storage.blob.models.BlobProperties;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.request.HeaderValues;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A blob or container as a read-back found it.
 *
 * @param blob the blob, or {@code null} of a container
 * @param marker the marker that the last write of its metadata has left, or {@code null}
 * @param times the times of its creation and its last write
 * @param copyId the id of the copy by the service that has made or makes it, or {@code null}
 */
public record BlobSnapshot(
        @Nullable BlobInfo blob,
        String etag,
        @Nullable String marker,
        Times times,
        @Nullable String copyId) {

    /** The times by the service's clock; a container has that of the last write only. */
    private record Times(
            @Nullable Instant made,
            @Nullable Instant written,
            @Nullable Instant date) {

        static Times of(@Nullable OffsetDateTime made, @Nullable OffsetDateTime written, Response<?> response) {
            Instant date = new StorageResponse(response.getStatusCode(), response.getHeaders(), new byte[0]).date();
            return new Times(
                    made == null ? null : made.toInstant(), written == null ? null : written.toInstant(), date);
        }
    }

    /** Returns a blob as a response to a request for its properties describes it. */
    public static BlobSnapshot blob(String name, Response<BlobProperties> response) {
        BlobProperties found = response.getValue();
        BlobInfo info = BlobInfoMapper.of(name, response);
        Times times = Times.of(found.getCreationTime(), found.getLastModified(), response);
        return new BlobSnapshot(info, info.etag(), WriteIdMetadata.of(found.getMetadata()), times, found.getCopyId());
    }

    static BlobSnapshot container(Response<BlobContainerProperties> response) {
        BlobContainerProperties found = response.getValue();
        String etag = found.getETag();
        return new BlobSnapshot(
                null,
                etag == null ? "" : HeaderValues.quoted(etag),
                WriteIdMetadata.of(found.getMetadata()),
                Times.of(null, found.getLastModified(), response),
                null);
    }

    public BlobInfo info() {
        return Objects.requireNonNull(blob, "not a blob");
    }

    /** Returns the time of the last write, 1970 where the response does not give it. */
    public Instant written() {
        return times.written == null ? Instant.EPOCH : times.written;
    }

    /** Returns whether its present version is older than the first attempt, for certain. */
    public boolean writtenBefore(UnresolvedAttempts unresolved) {
        return unresolved.isYoungerThan(times.written, times.date);
    }

    /**
     * Returns whether it existed, without a gap, since before the first attempt, for certain: overwriting does not make
     * it again.
     */
    public boolean thereBefore(UnresolvedAttempts unresolved) {
        return writtenBefore(unresolved) || unresolved.isYoungerThan(times.made, times.date);
    }
}
