package io.stowline.blob.internal.folder;

import io.stowline.blob.internal.upload.Upload.FileOpening;
import io.stowline.error.internal.PrintableText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A folder whose files are listed, read and deleted. No link below it is followed, not even one that takes the place of a folder later: each
 * folder is opened within the open one above it. Where the system has no such way, its real path is compared. Thread-safe.
 */
public final class LocalFolder implements FileOpening {

    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private final Path root;
    private final boolean within;

    public LocalFolder(Path root) {
        this(root, true);
    }

    /**
     * Makes a folder.
     *
     * @param within whether folders are opened within open ones, where the system can
     */
    public LocalFolder(Path root, boolean within) {
        this.root = root;
        this.within = within;
    }

    public Path root() {
        return root;
    }

    public Path path(LocalFile file) {
        return root.resolve(file.name());
    }

    /** Returns a file in an error; its name may have no form as a path. */
    public String shown(LocalFile file) {
        return root + root.getFileSystem().getSeparator() + file.name();
    }

    /** Returns why a name and a file of this system do not correspond, and the way out. */
    static String hasNoForm() {
        return "has no form in the file-name encoding of this JVM, " + System.getProperty("sun.jnu.encoding")
                + "; rename the file or start the JVM in the locale of the name, for example with LC_ALL=C.UTF-8";
    }

    /** Returns the children of a folder, the root or one below it; the owner closes the stream. */
    @SuppressWarnings("StreamResourceLeak")
    DirectoryStream<Path> list(Path folder) throws IOException {
        DirectoryStream<Path> outermost = Files.newDirectoryStream(root);
        if (!within || !(outermost instanceof SecureDirectoryStream<Path> secure)) {
            outermost.close();
            return listByPath(folder);
        }
        if (folder.equals(root)) {
            return secure;
        }
        SecureDirectoryStream<Path> open = secure;
        for (Path segment : root.relativize(folder)) {
            try (SecureDirectoryStream<Path> outer = open) {
                open = outer.newDirectoryStream(segment, LinkOption.NOFOLLOW_LINKS);
            } catch (IOException e) {
                throw explained(folder, e);
            }
        }
        return open;
    }

    @SuppressWarnings("StreamResourceLeak")
    private DirectoryStream<Path> listByPath(Path folder) throws IOException {
        return inPlace(folder, Files.newDirectoryStream(folder));
    }

    /** Returns the attributes of a listed child. */
    static BasicFileAttributes attributes(DirectoryStream<Path> stream, Path child) throws IOException {
        return stream instanceof SecureDirectoryStream<Path> secure
                ? secure.getFileAttributeView(
                                child.getFileName(), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes()
                : Files.readAttributes(child, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns the attributes of a file; a link that has taken its place is not followed. */
    @Override
    public BasicFileAttributes attributes(Path file) throws IOException {
        BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!seen.isRegularFile()) {
            throw new IOException(PrintableText.of(file + " is a file no longer"));
        }
        return seen;
    }

    /** Opens a file below the root; its owner closes it. */
    @Override
    public FileChannel open(Path file) throws IOException {
        try (DirectoryStream<Path> stream = list(file.resolveSibling(""))) {
            if (stream instanceof SecureDirectoryStream<Path> secure) {
                return (FileChannel) secure.newByteChannel(file.getFileName(), READ);
            }
        }
        return inPlace(file, FileChannel.open(file, READ));
    }

    /**
     * Deletes a file that is still as it was found.
     *
     * @return whether it was there
     */
    public boolean delete(LocalFile file) throws IOException {
        Path path = path(file);
        try (DirectoryStream<Path> stream = list(path.resolveSibling(""))) {
            BasicFileAttributes now = attributes(stream, path);
            if (!now.lastModifiedTime().toInstant().equals(file.modified()) || now.size() != file.size()) {
                throw new IOException(PrintableText.of(path + " changed since it was found"));
            }
            if (stream instanceof SecureDirectoryStream<Path> secure) {
                secure.deleteFile(path.getFileName());
            } else {
                Files.delete(path);
            }
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Closes a resource that was opened by its path if the path leads elsewhere. */
    private <C extends Closeable> C inPlace(Path path, C opened) throws IOException {
        try {
            refuseElsewhere(path);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    private void refuseElsewhere(Path path) throws IOException {
        Path real = path.toRealPath();
        if (!real.equals(root.toRealPath().resolve(root.relativize(path)))) {
            throw new IOException(PrintableText.of(path + " is reached through a link, which is not followed"));
        }
    }

    /** The system reports "too many links" for a link that it must not follow. */
    private IOException explained(Path folder, IOException cause) {
        Path above = root;
        for (Path segment : root.relativize(folder)) {
            above = above.resolve(segment);
            if (Files.exists(above, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isDirectory(above, LinkOption.NOFOLLOW_LINKS)) {
                return new IOException(PrintableText.of(above + " is a folder no longer"), cause);
            }
        }
        return cause;
    }

    /**
     * Returns why a mirror does not delete the blob of a file.
     *
     * @return the reason, or {@code null} if it is certain that there is no such file
     */
    @Nullable
    public IOException stays(Path file) {
        if (!Files.isDirectory(root)) {
            return new IOException(PrintableText.of(root + " is a folder no longer"));
        }
        try {
            Path at = root;
            for (Path segment : root.relativize(file)) {
                at = at.resolve(segment);
                BasicFileAttributes seen =
                        Files.readAttributes(at, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (seen.isDirectory()) {
                    continue;
                }
                if (!seen.isRegularFile()) {
                    return notFollowed(at);
                }
                return at.equals(file) ? new IOException(PrintableText.of(file + " is there again")) : null;
            }
            return null;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    /** Returns whether something stands under a name. */
    public boolean has(String name) throws IOException {
        return seen(name) != null;
    }

    /** Returns whether something stands under a name that does not stand under another one too. */
    public boolean hasOther(String name, String other) throws IOException {
        BasicFileAttributes there = seen(other);
        BasicFileAttributes own = there == null ? null : seen(name);
        if (there == null || own == null) {
            return there != null;
        }
        return there.fileKey() == null
                ? !Files.isSameFile(root.resolve(name), root.resolve(other))
                : !there.fileKey().equals(own.fileKey());
    }

    private @Nullable BasicFileAttributes seen(String name) throws IOException {
        try {
            return Files.readAttributes(root.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (InvalidPathException | NoSuchFileException e) {
            return null;
        } catch (FileSystemException e) {
            if (Files.notExists(root.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                return null;
            }
            throw e;
        }
    }

    /** Returns why a name that is no file takes no part. */
    public static IOException notFollowed(Path path) {
        return new IOException(
                PrintableText.of(path + " is a link, a device, a pipe or a socket, which is not followed"));
    }
}
