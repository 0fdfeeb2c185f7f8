package io.stowline.queue;

import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.outcome.StoredTexts;
import java.util.Map;
import java.util.Objects;

/**
 * The properties of a queue: message count and metadata.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param approximateCount about how many messages there are, hidden ones too, and never fewer than there were in this place; -1 where the
 *     response lacks it
 * @param metadata its metadata; names are case-insensitive to the service
 * @param origin where this was read, and how old it may be
 */
public record QueueInfo(long approximateCount, Map<String, String> metadata, ReadOrigin origin) {

    /**
     * Keeps its own copy of the metadata.
     *
     * @param approximateCount about how many messages there are
     * @param metadata its metadata
     * @param origin where this was read
     */
    public QueueInfo {
        metadata = StoredTexts.metadata(metadata);
        Objects.requireNonNull(origin, "origin");
    }
}
