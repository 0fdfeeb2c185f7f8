package io.stowline.blob.internal.file;

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
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A file that takes the place and the mode of another when it is complete, and goes away when it is not. Until then it is its owner's alone. */
public final class AtomicFile implements AutoCloseable {

    private static final Set<StandardOpenOption> NEW =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    /** The JDK keeps a direct buffer for each thread, as long as the longest array that the thread has written at once. */
    private static final int MAX_AT_ONCE = 256 << 10;

    private final Path target;
    private final Path part;
    private final FileChannel channel;
    private final FileModes modes;
    private long length;
    private boolean complete;

    private AtomicFile(Path target, Path part, FileChannel channel, FileModes modes) {
        this.target = target;
        this.part = part;
        this.channel = channel;
        this.modes = modes;
    }

    /**
     * Opens a file in the folder of its target, so that the renaming is one step; a link stays, and its target is
     * replaced.
     */
    public static AtomicFile beside(Path given) throws IOException {
        return at(target(given), new FileModes());
    }

    /**
     * Opens a file for a target that its caller has checked.
     *
     * @param target no link, and neither a folder nor a device
     * @param modes what is known about the modes of new files
     */
    static AtomicFile at(Path target, FileModes modes) throws IOException {
        Path part = UnfinishedFiles.newPart(target);
        return new AtomicFile(target, part, FileChannel.open(part, NEW, FileModes.ownerOnly(part)), modes);
    }

    /** Returns the file that is replaced, links followed; an error if it cannot be. */
    public static Path target(Path given) throws IOException {
        Path target = destination(given);
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

    /** Follows links, the last one to a place that is still free. */
    private static Path destination(Path given) throws IOException {
        Path path = given.toAbsolutePath();
        while (true) {
            try {
                return path.toRealPath();
            } catch (NoSuchFileException none) {
                if (!Files.isSymbolicLink(path)) {
                    return inRealFolder(path);
                }
                path = path.resolveSibling(Files.readSymbolicLink(path));
            }
        }
    }

    private static Path inRealFolder(Path path) throws IOException {
        Path folder = path.getParent();
        return folder == null || !Files.isDirectory(folder)
                ? path
                : folder.toRealPath().resolve(path.getFileName());
    }

    /** Refuses a device, a pipe or a socket, whose writer means something else than a file that replaces it. */
    static void refuseSpecial(Path given, Path target) throws IOException {
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            throw new IOException(given + " is " + FileModes.kind(target)
                    + ", which a file cannot replace; download to a stream that writes to it");
        }
    }

    /** Writes the first bytes of an array. */
    public void write(byte[] bytes, int count) throws IOException {
        write(channel, length, bytes, count);
        length += count;
    }

    /** Writes the first bytes of an array to a place in a file. */
    static void write(FileChannel file, long at, byte[] bytes, int count) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.position() < count) {
            left.limit(Math.min(count, left.position() + MAX_AT_ONCE));
            file.write(left, at + left.position());
        }
    }

    /** The steps before a complete file takes the place of its target; an exception leaves the target as it was. */
    @FunctionalInterface
    interface LastSteps {

        /** Does the work that the mode of the target could forbid. */
        default void prepare(Path part) throws IOException {}

        /** Makes the last check. */
        void check() throws IOException;
    }

    /** Forces the content to the disk before the file gets its mode and its name. */
    public void complete() throws IOException {
        complete(() -> {});
    }

    void complete(LastSteps last) throws IOException {
        channel.force(true);
        channel.close();
        last.prepare(part);
        modes.hand(target, part);
        last.check();
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        complete = true;
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            if (!complete) {
                Files.deleteIfExists(part);
            }
        }
    }

    /**
     * The modes of the files that take the place of others: readers of the others may read them, and no more. Without
     * POSIX it does nothing. It keeps the mode of new files in the last folder, so it serves one transfer. Thread-safe.
     */
    public static final class FileModes {

        private static final Set<PosixFilePermission> OF_GROUP = EnumSet.of(
                PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_EXECUTE);

        private static final Set<PosixFilePermission> OF_OWNER =
                EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

        private volatile @Nullable UsualMode usual;
        private volatile @Nullable GivenGroup given;

        /** The mode that a new file in a folder gets. */
        private record UsualMode(Path folder, Set<PosixFilePermission> mode) {}

        /** The group of new files in a folder. */
        private record GivenGroup(Path folder, int group) {}

        /**
         * The mode and the group of a file. The group is a number: its name takes a search.
         *
         * @param mode its type and its permissions
         */
        private record UnixMode(int mode, int group) {

            private static final int TYPE = 0xF000;

            private static final int FILE = 0x8000;
            private static final int OWNER_READS = 0x100;

            static boolean isKnown(Path file) {
                return file.getFileSystem().supportedFileAttributeViews().contains("unix");
            }

            /** Links are followed; {@code null} if there is no file. */
            static @Nullable UnixMode of(Path file) throws IOException {
                try {
                    Map<String, Object> seen = Files.readAttributes(file, "unix:mode,gid");
                    return new UnixMode((int) Objects.requireNonNull(seen.get("mode")), (int)
                            Objects.requireNonNull(seen.get("gid")));
                } catch (NoSuchFileException none) {
                    return null;
                }
            }

            boolean isFile() {
                return (mode & TYPE) == FILE;
            }

            String kind() {
                return switch (mode & TYPE) {
                    case 0x1000 -> "a pipe";
                    case 0x2000, 0x6000 -> "a device";
                    case 0xC000 -> "a socket";
                    default -> "no file";
                };
            }

            Set<PosixFilePermission> permissions() {
                Set<PosixFilePermission> granted = EnumSet.noneOf(PosixFilePermission.class);
                int bit = OWNER_READS;
                for (PosixFilePermission permission : PosixFilePermission.values()) {
                    if ((mode & bit) != 0) {
                        granted.add(permission);
                    }
                    bit >>= 1;
                }
                return granted;
            }
        }

        /** Returns the attributes that let only the owner use this new file. */
        static FileAttribute<?>[] ownerOnly(Path file) {
            return view(file) == null
                    ? new FileAttribute<?>[0]
                    : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OF_OWNER)};
        }

        /** Returns whether it is a file of this process's user, and no link. */
        static boolean own(Path file) throws IOException {
            if (view(file) == null) {
                return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
            }
            PosixFileAttributes found =
                    Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isRegularFile()) {
                return false;
            }
            Path made = Files.createFile(UnfinishedFiles.newProbe(file));
            try {
                return found.owner().equals(Files.getOwner(made));
            } finally {
                Files.deleteIfExists(made);
            }
        }

        private static String kind(Path special) throws IOException {
            UnixMode seen = UnixMode.isKnown(special) ? UnixMode.of(special) : null;
            return seen == null ? "no file" : seen.kind();
        }

        /**
         * Gives a part the mode of its target, or that of a usual new file if there is no target.
         *
         * @throws IOException if the target is no file
         */
        void hand(Path target, Path part) throws IOException {
            boolean unix = UnixMode.isKnown(target);
            UnixMode before = unix ? UnixMode.of(target) : null;
            if (before == null ? !unix : !before.isFile()) {
                refuseSpecial(target, target);
            }
            PosixFileAttributeView view = view(part);
            if (view == null) {
                return;
            }
            if (unix && before == null) {
                view.setPermissions(usual(target));
                return;
            }
            view.setPermissions(
                    before != null && isOfGroup(before.group, part) ? before.permissions() : mode(target, view));
        }

        private boolean isOfGroup(int group, Path part) throws IOException {
            Path folder = part.resolveSibling("");
            GivenGroup known = given;
            if (known == null || !known.folder.equals(folder)) {
                UnixMode made = UnixMode.of(part);
                if (made == null) {
                    return false;
                }
                known = new GivenGroup(folder, made.group);
                given = known;
            }
            return known.group == group;
        }

        private Set<PosixFilePermission> mode(Path target, PosixFileAttributeView part) throws IOException {
            return Files.exists(target) ? kept(target, part) : usual(target);
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

        /** The mode of new files, by the umask and the folder, shows in new files only. */
        private Set<PosixFilePermission> usual(Path target) throws IOException {
            Path folder = target.resolveSibling(".");
            UsualMode known = usual;
            if (known == null || !known.folder.equals(folder)) {
                known = new UsualMode(folder, ofNewFile(target));
                usual = known;
            }
            return known.mode;
        }

        private static Set<PosixFilePermission> ofNewFile(Path target) throws IOException {
            Path made = Files.createFile(UnfinishedFiles.newProbe(target));
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
