package io.stowline.blob.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who may read the file that takes the place of another: those who could read the other, and no more. Without POSIX it does nothing. */
final class FileModes {

    private static final Set<PosixFilePermission> OF_GROUP = EnumSet.of(
            PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_EXECUTE);

    private FileModes() {}

    /** What makes a new file in this folder its owner's alone. */
    static FileAttribute<?>[] ownerOnly(Path folder) {
        return view(folder) == null
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                };
    }

    /** Gives a part the mode of its target, or that of a usual new file if there is no target. */
    static void hand(Path target, Path part) throws IOException {
        PosixFileAttributeView own = view(part);
        if (own == null) {
            return;
        }
        own.setPermissions(Files.exists(target) ? kept(target, own) : usual(target));
    }

    /** A group that cannot be kept loses its rights: they are not another group's. */
    private static Set<PosixFilePermission> kept(Path target, PosixFileAttributeView part) throws IOException {
        PosixFileAttributes before = Files.readAttributes(target, PosixFileAttributes.class);
        Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
        mode.addAll(before.permissions());
        if (!before.group().equals(part.readAttributes().group())) {
            try {
                part.setGroup(before.group());
            } catch (IOException e) {
                mode.removeAll(OF_GROUP);
            }
        }
        return mode;
    }

    /** What the process gives to new files, its umask, is told by none but a new file. */
    private static Set<PosixFilePermission> usual(Path target) throws IOException {
        Path made = Files.createFile(target.resolveSibling(".stowline-" + UUID.randomUUID() + ".mode"));
        try {
            return Objects.requireNonNull(view(made)).readAttributes().permissions();
        } finally {
            Files.deleteIfExists(made);
        }
    }

    private static @Nullable PosixFileAttributeView view(Path file) {
        return Files.getFileAttributeView(file, PosixFileAttributeView.class);
    }
}
