package io.stowline.journal.internal.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.AclEntry;
import java.nio.file.attribute.AclEntryFlag;
import java.nio.file.attribute.AclEntryPermission;
import java.nio.file.attribute.AclEntryType;
import java.nio.file.attribute.AclFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A folder, and files in it, that only their owner may look into and write, and that are never reached through a link. */
public final class JournalFolder {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private JournalFolder() {}

    /**
     * Makes the folder, or takes one from others.
     *
     * @param durability whether the names of the folders that are made are forced to the disk
     * @return its real path
     * @throws IOException if it is a link or no folder, if it belongs to another user or others could have written into it, or it cannot
     *     be made private
     */
    public static Path of(Path folder, Durability durability) throws IOException {
        if (Files.isSymbolicLink(folder)) {
            throw new IOException("it is a link; give the folder that it leads to");
        }
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Path made = folder.toAbsolutePath();
            List<Path> parents = changedBy(made);
            make(made);
            if (durability == Durability.MACHINE) {
                for (Path parent : parents) {
                    force(parent);
                }
            }
        }
        Path path = folder.toRealPath();
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("it is not a folder");
        }
        refuseForeign(path);
        if (isPosix(path)) {
            closePosix(path);
        } else {
            closeAcl(path);
        }
        return path;
    }

    /** The folders that get a new name when this one is made, the nearest first: each has to be forced. */
    private static List<Path> changedBy(Path folder) {
        List<Path> parents = new ArrayList<>();
        for (Path parent = folder.getParent(); parent != null; parent = parent.getParent()) {
            parents.add(parent);
            if (Files.exists(parent)) {
                break;
            }
        }
        return parents;
    }

    private static void make(Path folder) throws IOException {
        Path parent = folder.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (isPosix(folder)) {
            Files.createDirectory(folder, FOLDER);
        } else {
            Files.createDirectory(folder);
            @Nullable AclFileAttributeView view = Files.getFileAttributeView(folder, AclFileAttributeView.class);
            if (view != null) {
                view.setAcl(ownerOnly(view));
            }
        }
    }

    /** A new file there has to belong to the owner of the folder: no other way to one's own name works on every system. */
    private static void refuseForeign(Path folder) throws IOException {
        Path probe = folder.resolve("probe." + UUID.randomUUID());
        try {
            create(probe);
            refuse("it", Files.getOwner(folder), Files.getOwner(probe, LinkOption.NOFOLLOW_LINKS));
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private static void refuse(String what, UserPrincipal owner, UserPrincipal own) throws IOException {
        if (!owner.equals(own)) {
            throw new IOException(what + " belongs to another user, " + owner.getName() + ", and this process runs as "
                    + own.getName() + ", so that what is in it may be theirs; make it " + own.getName() + "'s");
        }
    }

    private static void closePosix(Path path) throws IOException {
        Set<PosixFilePermission> before = Files.getPosixFilePermissions(path);
        if (before.stream().anyMatch(OTHERS_WRITE::contains)) {
            throw new IOException("others may write into it (" + PosixFilePermissions.toString(before)
                    + "), so that what is in it may be theirs; make it rwx------");
        }
        if (!before.equals(OWNER_ONLY)) {
            Files.setPosixFilePermissions(path, OWNER_ONLY);
        }
    }

    private static void closeAcl(Path path) throws IOException {
        @Nullable AclFileAttributeView view = Files.getFileAttributeView(path, AclFileAttributeView.class);
        if (view == null) {
            throw new IOException("its file system knows neither POSIX permissions nor access control lists");
        }
        List<AclEntry> ownerOnly = ownerOnly(view);
        if (!view.getAcl().equals(ownerOnly)) {
            try (var files = Files.list(path)) {
                if (files.findAny().isPresent()) {
                    throw new IOException("others may write into it, so that what is in it may be theirs;"
                            + " give it an access control list that allows its owner only");
                }
            }
            view.setAcl(ownerOnly);
        }
    }

    private static List<AclEntry> ownerOnly(AclFileAttributeView view) throws IOException {
        return List.of(AclEntry.newBuilder()
                .setType(AclEntryType.ALLOW)
                .setPrincipal(view.getOwner())
                .setPermissions(EnumSet.allOf(AclEntryPermission.class))
                .setFlags(AclEntryFlag.FILE_INHERIT, AclEntryFlag.DIRECTORY_INHERIT)
                .build());
    }

    /** Opens a file for reading and writing, and makes it if it is not there. */
    public static FileChannel open(Path file) throws IOException {
        return opened(file, StandardOpenOption.CREATE);
    }

    /** Makes an empty file that is not there yet. */
    public static void create(Path file) throws IOException {
        opened(file, StandardOpenOption.CREATE_NEW).close();
    }

    private static FileChannel opened(Path file, StandardOpenOption creation) throws IOException {
        Set<OpenOption> options =
                Set.of(creation, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        return isPosix(file) ? FileChannel.open(file, options, FILE) : FileChannel.open(file, options);
    }

    /** Refuses to read what is not a file of the owner's alone. */
    public static void check(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file.getFileName() + " is not a file but a link or a folder");
        }
        Path folder = Objects.requireNonNull(file.getParent(), "folder");
        refuse(file.getFileName().toString(), Files.getOwner(file, LinkOption.NOFOLLOW_LINKS), Files.getOwner(folder));
        if (isPosix(file)
                && Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS).stream()
                        .anyMatch(OTHERS_WRITE::contains)) {
            throw new IOException("others may write " + file.getFileName() + ", so that what is in it may be theirs");
        }
    }

    /**
     * Puts the names in the folder on disk, where the operating system lets a folder be forced, which needs the right
     * to read it.
     */
    public static void force(Path folder) throws IOException {
        if (isPosix(folder) && Files.isReadable(folder)) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static boolean isPosix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
