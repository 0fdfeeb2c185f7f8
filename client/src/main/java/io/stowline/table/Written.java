package io.stowline.table;

import java.util.Objects;

/**
 * What a write left behind.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the entity's new ETag, to be sent back unchanged with a conditional update; after a deletion the empty string
 */
public record Written(String etag) {

    /**
     * Checks that there is an ETag.
     *
     * @param etag the entity's new ETag, to be sent back unchanged with a conditional update; after a deletion the empty string
     */
    public Written {
        Objects.requireNonNull(etag, "etag");
    }
}
