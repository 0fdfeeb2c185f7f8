package io.stowline.blob.internal;

import io.stowline.transport.ReadOrigin;
import org.jspecify.annotations.Nullable;

/**
 * A range to read.
 *
 * @param name the blob
 * @param offset where it begins
 * @param count how many bytes at the most
 * @param etag the version to read, or {@code null} for the present one
 * @param found where that version was found, or {@code null} if it is for this read to find one
 * @param unless the version that is not to be read, since it is known, or {@code null}
 */
record RangeAsked(
        String name,
        long offset,
        int count,
        @Nullable String etag,
        @Nullable ReadOrigin found,
        @Nullable String unless) {}
