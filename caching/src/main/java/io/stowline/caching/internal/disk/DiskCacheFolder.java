package io.stowline.caching.internal.disk;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.AclEntry;
import java.nio.file.attribute.AclEntryFlag;
import java.nio.file.attribute.AclEntryPermission;
import java.nio.file.attribute.AclEntryType;
import java.nio.file.attribute.AclFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A folder that only its owner may look into.
 *
 * @param path where it is, without links
 * @param wasOpen whether others could have changed what is in it
 */
record DiskCacheFolder(Path path, boolean wasOpen) {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /** Makes the folder, or makes it private if it is a cache's. A folder of another program or user stays as it is. */
    static DiskCacheFolder of(Path folder) throws IOException {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            refuseForeign(folder);
        }
        try {
            Path parent = Objects.requireNonNull(folder.toAbsolutePath().getParent(), "parent");
            Files.createDirectories(parent);
            make(folder, isPosix(parent));
            Path path = folder.toRealPath();
            return new DiskCacheFolder(path, close(path));
        } catch (IOException e) {
            throw new IOException("the cache folder " + folder + " cannot be made, or made private: " + e, e);
        }
    }

    private static void make(Path folder, boolean isPosix) throws IOException {
        if (Files.exists(folder)) {
            return;
        }
        if (isPosix) {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } else {
            Files.createDirectory(folder);
        }
    }

    private static void refuseForeign(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("the cache folder " + folder + " is not a folder");
        }
        if (!Files.exists(folder.resolve(CacheFolderLock.NAME), LinkOption.NOFOLLOW_LINKS) && !isEmpty(folder)) {
            throw new IOException("the cache folder " + folder + " holds files that are not a cache's");
        }
        if (!isOwn(folder)) {
            throw new IOException("the cache folder " + folder + " belongs to another user: " + Files.getOwner(folder));
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            return !files.iterator().hasNext();
        }
    }

    /** True if a new file belongs to the owner of the folder: no other way to one's own name works on every system. */
    private static boolean isOwn(Path folder) throws IOException {
        Path probe = folder.resolve("probe." + UUID.randomUUID());
        try {
            Files.createFile(probe);
            return Files.getOwner(probe, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(folder));
        } catch (IOException e) {
            throw new IOException("the cache folder " + folder + " cannot be written: " + e, e);
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    static boolean isPosix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static boolean close(Path path) throws IOException {
        return isPosix(path) ? closePosix(path) : closeAcl(path);
    }

    private static boolean closePosix(Path path) throws IOException {
        Set<PosixFilePermission> before = Files.getPosixFilePermissions(path);
        if (!before.equals(OWNER_ONLY)) {
            Files.setPosixFilePermissions(path, OWNER_ONLY);
            if (!Files.getPosixFilePermissions(path).equals(OWNER_ONLY)) {
                throw new IOException("its permissions stay as they were");
            }
        }
        return before.stream().anyMatch(OTHERS_WRITE::contains);
    }

    private static boolean closeAcl(Path path) throws IOException {
        @Nullable AclFileAttributeView view = Files.getFileAttributeView(path, AclFileAttributeView.class);
        if (view == null) {
            throw new IOException("its file system knows neither POSIX permissions nor access control lists");
        }
        List<AclEntry> ownerOnly = List.of(AclEntry.newBuilder()
                .setType(AclEntryType.ALLOW)
                .setPrincipal(view.getOwner())
                .setPermissions(EnumSet.allOf(AclEntryPermission.class))
                .setFlags(AclEntryFlag.FILE_INHERIT, AclEntryFlag.DIRECTORY_INHERIT)
                .build());
        boolean wasOpen = !view.getAcl().equals(ownerOnly);
        if (wasOpen) {
            view.setAcl(ownerOnly);
        }
        return wasOpen;
    }
}
