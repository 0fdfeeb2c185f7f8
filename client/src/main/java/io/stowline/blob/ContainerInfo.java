package io.stowline.blob;

import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.outcome.StoredTexts;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/**
 * The properties of a container: version and metadata.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the ETag of its properties and metadata, which blobs do not change; empty where the response lacks it
 * @param lastModified when these were changed last, by the service's clock; 1970-01-01 where the response lacks it
 * @param metadata its metadata; names are case-insensitive to the service
 * @param origin where this was read, and how old it may be
 */
public record ContainerInfo(String etag, Instant lastModified, Map<String, String> metadata, ReadOrigin origin) {

    /**
     * Keeps an own copy of the metadata.
     *
     * @param etag the ETag of its properties and metadata
     * @param lastModified when these were changed last
     * @param metadata its metadata
     * @param origin where this was read
     */
    public ContainerInfo {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(lastModified, "lastModified");
        metadata = StoredTexts.metadata(metadata);
        Objects.requireNonNull(origin, "origin");
    }
}
