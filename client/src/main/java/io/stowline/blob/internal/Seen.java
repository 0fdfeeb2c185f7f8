package io.stowline.blob.internal;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.BlobContainerProperties;
import com.azure.storage.blob.models.BlobProperties;
import io.stowline.blob.BlobFacts;
import io.stowline.transport.internal.Answer;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.MetadataMark;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A blob or container as a look at it found it.
 *
 * @param blob the blob, or {@code null} of a container
 * @param etag its ETag
 * @param mark the mark that the last write of its metadata has left, or {@code null}
 * @param times when it was made and written
 */
record Seen(@Nullable BlobFacts blob, String etag, @Nullable String mark, Times times) {

    /** By the service's clock; it says of a container when it was written only. */
    private record Times(
            @Nullable Instant made,
            Instant written,
            @Nullable Instant date) {

        static Times of(@Nullable OffsetDateTime made, OffsetDateTime written, Response<?> answer) {
            Instant date = new Answer(answer.getStatusCode(), answer.getHeaders(), new byte[0]).date();
            return new Times(made == null ? null : made.toInstant(), Facts.instant(written), date);
        }
    }

    static Seen blob(String name, Response<BlobProperties> answer) {
        BlobProperties found = answer.getValue();
        BlobFacts facts = Facts.of(name, found);
        Times times = Times.of(found.getCreationTime(), found.getLastModified(), answer);
        return of(facts, facts.etag(), found.getMetadata(), times);
    }

    static Seen container(Response<BlobContainerProperties> answer) {
        BlobContainerProperties found = answer.getValue();
        String etag = HeaderValues.quoted(Objects.requireNonNull(found.getETag(), "no ETag"));
        return of(null, etag, found.getMetadata(), Times.of(null, found.getLastModified(), answer));
    }

    private static Seen of(@Nullable BlobFacts blob, String etag, @Nullable Map<String, String> metadata, Times times) {
        return new Seen(blob, etag, MetadataMark.of(metadata), times);
    }

    BlobFacts facts() {
        return Objects.requireNonNull(blob, "not a blob");
    }

    Instant written() {
        return times.written;
    }

    /** Whether its present version is older than the first attempt, for certain. */
    boolean writtenBefore(Doubt doubt) {
        return doubt.isYoungerThan(times.written, times.date);
    }

    /** Whether it was there, without a gap, since before the first attempt, for certain: overwriting does not make it anew. */
    boolean thereBefore(Doubt doubt) {
        return writtenBefore(doubt) || doubt.isYoungerThan(times.made, times.date);
    }
}
