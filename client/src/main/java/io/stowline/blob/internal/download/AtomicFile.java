package io.stowline.blob.internal.download;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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

/** A file that takes the place and the mode of another when it is complete, and goes away when it is not. Until then it is its owner's alone. */
public final class AtomicFile implements AutoCloseable {

    private static final Set<StandardOpenOption> NEW =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final Path target;
    private final Path part;
    private final FileChannel channel;

    private AtomicFile(Path target, Path part, FileChannel channel) {
        this.target = target;
        this.part = part;
        this.channel = channel;
    }

    /** In the same folder, so that the renaming is one step; a link stays and what it leads to is replaced. */
    public static AtomicFile beside(Path given) throws IOException {
        Path target = target(given);
        Path part = target.resolveSibling(".stowline-" + UUID.randomUUID() + ".part");
        FileAttribute<?>[] mode = FileModes.ownerOnly(part.resolveSibling("."));
        return new AtomicFile(target, part, FileChannel.open(part, NEW, mode));
    }

    /** The file that is replaced, links followed; an error if it cannot be. */
    public static Path target(Path given) throws IOException {
        Path target = Files.exists(given) ? given.toRealPath() : given.toAbsolutePath();
        if (Files.isDirectory(target)) {
            throw new IOException(given + " is a folder");
        }
        refuseSpecial(given, target);
        Path folder = target.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new NoSuchFileException(given.toString(), null, "its folder is not there");
        }
        return target;
    }

    /** Only a file is replaced by a file: what writes to a device, a pipe or a socket means something else. */
    static void refuseSpecial(Path given, Path target) throws IOException {
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            throw new IOException(given + " is " + FileModes.kind(target)
                    + ", which a file cannot replace; download to a stream that writes to it");
        }
    }

    public void write(byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    /** What is in the file is on the disk before it gets its mode and its name. */
    public void complete() throws IOException {
        channel.force(true);
        channel.close();
        refuseSpecial(target, target);
        FileModes.hand(target, part);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Who may read the file that takes the place of another: those who could read the other, and no more. Without POSIX it does nothing. */
    static final class FileModes {

        private static final Set<PosixFilePermission> OF_GROUP = EnumSet.of(
                PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_EXECUTE);

        private static final String SPECIAL = "no file";

        /** The bits of a mode that say what it is the mode of. */
        private static final int TYPE = 0xF000;

        private FileModes() {}

        /** What makes a new file in this folder its owner's alone. */
        static FileAttribute<?>[] ownerOnly(Path folder) {
            return view(folder) == null
                    ? new FileAttribute<?>[0]
                    : new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                    };
        }

        /** Whether it is a file of this process's user, and no link. Another user's file must not become the target. */
        static boolean own(Path file) throws IOException {
            if (view(file) == null) {
                return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
            }
            PosixFileAttributes found =
                    Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isRegularFile()) {
                return false;
            }
            Path made = Files.createFile(file.resolveSibling(".stowline-" + UUID.randomUUID() + ".mode"));
            try {
                return found.owner().equals(Files.getOwner(made));
            } finally {
                Files.deleteIfExists(made);
            }
        }

        /** What a thing is that is neither a file nor a folder. */
        private static String kind(Path special) throws IOException {
            if (!special.getFileSystem().supportedFileAttributeViews().contains("unix")) {
                return SPECIAL;
            }
            return switch ((int) Files.getAttribute(special, "unix:mode") & TYPE) {
                case 0x1000 -> "a pipe";
                case 0x2000, 0x6000 -> "a device";
                case 0xC000 -> "a socket";
                default -> SPECIAL;
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

        /** What the process gives to new files, its umask, shows in new files only. */
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
}
