package io.stowline.blob.internal.download;

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
public record RangeRequest(
        String name,
        long offset,
        int count,
        @Nullable String etag,
        @Nullable ReadOrigin found,
        @Nullable String unless) {

    /** The version that is not to be read is still the present one. No error to anybody but the reader of a body. */
    public static final class UnchangedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnchangedException() {
            super("unchanged", null, false, false);
        }
    }
}
