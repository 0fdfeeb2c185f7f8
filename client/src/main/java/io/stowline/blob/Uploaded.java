package io.stowline.blob;

import java.time.Instant;
import java.util.Objects;

/**
 * What an upload left behind.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the blob's new ETag, for a condition of a later call
 * @param lastModified when it was written, by the service's clock
 * @param size its bytes
 */
public record Uploaded(String etag, Instant lastModified, long size) {

    /**
     * Checks that everything is there.
     *
     * @param etag the blob's new ETag, for a condition of a later call
     * @param lastModified when it was written, by the service's clock
     * @param size its bytes
     */
    public Uploaded {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(lastModified, "lastModified");
    }
}
