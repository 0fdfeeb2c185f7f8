package io.stowline.blob;

import java.time.Instant;
import java.util.Objects;

/**
 * What an append left behind.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the blob's new ETag
 * @param lastModified when it was written, by the service's clock
 * @param offset where in the blob the appended bytes begin
 * @param end where they end, which is the blob's length then
 */
public record Appended(String etag, Instant lastModified, long offset, long end) {

    /**
     * Checks that everything is there.
     *
     * @param etag the blob's new ETag
     * @param lastModified when it was written, by the service's clock
     * @param offset where in the blob the appended bytes begin
     * @param end where they end, which is the blob's length then
     */
    public Appended {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(lastModified, "lastModified");
    }
}
