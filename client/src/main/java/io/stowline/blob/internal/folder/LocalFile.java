package io.stowline.blob.internal.folder;

import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A file that a walk through a folder has found; {@link LocalFolder#path} gives its place. Immutable.
 *
 * @param name its name below the folder, with {@code /} between segments
 * @param size its bytes
 * @param modified the time of its last change
 * @param error why it cannot be read, or {@code null}
 */
public record LocalFile(
        String name,
        long size,
        Instant modified,
        FileKind kind,
        @Nullable IOException error) {

    /** The kind of thing under a name. */
    public enum FileKind {
        FILE,
        FOLDER,
        /** A symbolic link, a device or a socket: never followed, never read. */
        OTHER
    }

    static LocalFile unreadable(String name, IOException error) {
        return new LocalFile(name, 0, Instant.EPOCH, FileKind.OTHER, error);
    }
}
