package io.stowline.blob;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One line of a listing by hierarchy: a blob, or the common beginning of the names of several.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param name the blob's name; or the common beginning, which ends with the delimiter
 * @param facts the blob's facts, or {@code null} for a common beginning
 */
public record BlobEntry(String name, @Nullable BlobInfo facts) {

    /**
     * Checks that there is a name.
     *
     * @param name the blob's name; or the common beginning, which ends with the delimiter
     * @param facts the blob's facts, or {@code null} for a common beginning
     */
    public BlobEntry {
        Objects.requireNonNull(name, "name");
    }

    /**
     * Returns whether it is the common beginning of several names, what a file system calls a folder.
     *
     * @return false for a blob
     */
    public boolean isPrefix() {
        return facts == null;
    }
}
