package io.stowline.journal.internal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The identity of a file or folder that is in use, by which a removed or replaced one is noticed: it is written without an error. */
public final class FileIdentity {

    private final Path file;
    private final @Nullable Object key;

    private FileIdentity(Path file, @Nullable Object key) {
        this.file = file;
        this.key = key;
    }

    /** Returns the identity of a file that is there. */
    public static FileIdentity of(Path file) throws IOException {
        return new FileIdentity(file, key(file));
    }

    /** Returns whether the path still leads to this file. */
    public boolean isInPlace() {
        try {
            return Objects.equals(key, key(file));
        } catch (IOException gone) {
            return false;
        }
    }

    /** The key is null where the file system has none. */
    private static @Nullable Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }
}
