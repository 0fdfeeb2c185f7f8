package io.stowline.blob;

import java.util.Objects;

/**
 * The properties of a page blob: those of every blob, and its sequence number.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param blob the properties that every blob has
 * @param sequenceNumber the number that conditions of writes compare; 0 where the response does not give it
 */
public record PageBlobInfo(BlobInfo blob, long sequenceNumber) {

    /**
     * Checks that the blob is there.
     *
     * @param blob the properties that every blob has
     * @param sequenceNumber the number that conditions of writes compare
     */
    public PageBlobInfo {
        Objects.requireNonNull(blob, "blob");
    }

    /**
     * Returns the size, a multiple of 512.
     *
     * @return its bytes, written or not; -1 where the response does not give them
     */
    public long size() {
        return blob.size();
    }
}
