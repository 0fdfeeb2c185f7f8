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
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A blob or container as a look at it found it.
 *
 * @param blob the blob, or {@code null} of a container
 * @param marker the mark that the last write of its metadata has left, or {@code null}
 * @param times when it was made and written
 */
public record BlobSnapshot(
        @Nullable BlobInfo blob, String etag, @Nullable String marker, Times times) {

    /** By the service's clock; it says of a container when it was written only. */
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

    static BlobSnapshot blob(String name, Response<BlobProperties> response) {
        BlobProperties found = response.getValue();
        BlobInfo info = BlobInfoMapper.of(name, response);
        Times times = Times.of(found.getCreationTime(), found.getLastModified(), response);
        return of(info, info.etag(), found.getMetadata(), times);
    }

    static BlobSnapshot container(Response<BlobContainerProperties> response) {
        BlobContainerProperties found = response.getValue();
        String etag = found.getETag();
        return of(
                null,
                etag == null ? "" : HeaderValues.quoted(etag),
                found.getMetadata(),
                Times.of(null, found.getLastModified(), response));
    }

    private static BlobSnapshot of(
            @Nullable BlobInfo blob, String etag, @Nullable Map<String, String> metadata, Times times) {
        return new BlobSnapshot(blob, etag, WriteIdMetadata.of(metadata), times);
    }

    public BlobInfo info() {
        return Objects.requireNonNull(blob, "not a blob");
    }

    /** When it was written, 1970 where the response does not say. */
    public Instant written() {
        return times.written == null ? Instant.EPOCH : times.written;
    }

    /** Whether its present version is older than the first attempt, for certain. */
    public boolean writtenBefore(UnresolvedAttempts unresolved) {
        return unresolved.isYoungerThan(times.written, times.date);
    }

    /** Whether it was there, without a gap, since before the first attempt, for certain: overwriting does not make it again. */
    public boolean thereBefore(UnresolvedAttempts unresolved) {
        return writtenBefore(unresolved) || unresolved.isYoungerThan(times.made, times.date);
    }
}
