package io.stowline.blob.internal.file;

import io.stowline.blob.internal.file.AtomicFile.FileModes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The state file of a resumable download, which one download has at a time, of this process and of all others (decision 99).
 *
 * <p>POSIX takes a lock back as soon as its process closes any descriptor of the file. So this class opens a file once only. Thread-safe.
 */
final class StateFile implements AutoCloseable {

    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> OLD =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private static final Set<OpenOption> INSPECT = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    /** Beyond all content: where a lock forbids reading, the file can be read all the same. */
    static final long LOCKED = Long.MAX_VALUE - 1;

    /** The lines of more ranges than the largest blob has by default, and no more than the heap takes beside its other use. */
    private static final long MAX = Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8);

    private static final int ATTEMPTS = 3;
    private static final int MAX_PADDING = 4_096;

    /** Begins the names of the system properties that hold the files of this process, of all its class loaders. */
    private static final String OWN = "io.stowline.download.owner:";

    private final Path path;
    private final FileChannel channel;
    private boolean closed;

    private StateFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Opens the file that is there, or makes it.
     *
     * @param create whether to make it
     * @return the file, which no other download has; {@code null} if one has it, or if there is none
     */
    static @Nullable StateFile open(Path path, boolean create) throws IOException {
        return owned(path, key -> locked(key, create));
    }

    /**
     * Opens the file that is there to read or remove it. Nothing of the file changes, nor its time.
     *
     * @return the file, which no download has; {@code null} if one has it, or if there is none
     */
    static @Nullable StateFile inspect(Path path) throws IOException {
        return owned(path, StateFile::seen);
    }

    /** A way to open a file and to take its lock. */
    private interface Locking {
        @Nullable
        FileChannel lock(Path path) throws IOException;
    }

    private static @Nullable StateFile owned(Path path, Locking locking) throws IOException {
        Path key = path.toAbsolutePath().normalize();
        if (System.getProperties().putIfAbsent(OWN + key, "") != null) {
            return null;
        }
        FileChannel locked = null;
        try {
            locked = locking.lock(key);
            return locked == null ? null : new StateFile(key, locked);
        } finally {
            if (locked == null) {
                System.clearProperty(OWN + key);
            }
        }
    }

    /** The file may be gone once its lock is had: then it belongs to no download. */
    private static @Nullable FileChannel locked(Path path, boolean create) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            FileIdentity before = create ? null : FileIdentity.ofPresent(path);
            FileChannel channel = channel(path, create);
            boolean kept = false;
            try {
                FileLock lock = channel == null ? null : channel.tryLock(LOCKED, 1, false);
                if (channel == null || lock == null) {
                    return null;
                }
                if (same(channel, path, before)) {
                    kept = true;
                    return channel;
                }
            } catch (OverlappingFileLockException takenByAnotherName) {
                return null;
            } catch (IOException e) {
                if (create && channel != null) {
                    remove(channel, path, e);
                }
                throw e;
            } finally {
                if (channel != null && !kept) {
                    channel.close();
                }
            }
        }
        return null;
    }

    /** Another file may have the name by the time of the lock: then a download began right now. */
    private static @Nullable FileChannel seen(Path path) throws IOException {
        FileChannel channel = null;
        boolean kept = false;
        try {
            if (!FileModes.own(path)) {
                return null;
            }
            FileIdentity before = FileIdentity.of(path);
            channel = FileChannel.open(path, INSPECT);
            kept = channel.tryLock(LOCKED, 1, true) != null && before.equals(FileIdentity.of(path));
            return kept ? channel : null;
        } catch (NoSuchFileException | OverlappingFileLockException goneOrTakenByAnotherName) {
            return null;
        } finally {
            if (channel != null && !kept) {
                channel.close();
            }
        }
    }

    /**
     * The identity of a file, which the next one of its name does not share.
     *
     * @param key {@code null} where the file system has none
     */
    private record FileIdentity(@Nullable Object key, FileTime created) {

        static @Nullable FileIdentity ofPresent(Path path) throws IOException {
            try {
                return of(path);
            } catch (NoSuchFileException gone) {
                return null;
            }
        }

        static FileIdentity of(Path path) throws IOException {
            BasicFileAttributes seen = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new FileIdentity(seen.fileKey(), seen.creationTime());
        }
    }

    /** A file that cannot be written, on a full disk, is useless. Another download's has another size. */
    private static void remove(FileChannel channel, Path path, IOException error) {
        try {
            if (Files.size(path) == channel.size()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            error.addSuppressed(e);
        }
    }

    private static @Nullable FileChannel channel(Path path, boolean create) throws IOException {
        if (create) {
            try {
                return FileChannel.open(path, NEW, FileModes.ownerOnly(path));
            } catch (FileAlreadyExistsException old) {
                // Of an earlier download, or of one that runs.
            }
        }
        try {
            return FileModes.own(path) ? FileChannel.open(path, OLD) : null;
        } catch (NoSuchFileException gone) {
            return null;
        }
    }

    /**
     * True if a line of any length that is written here makes the file there as long: a check that opens nothing.
     *
     * @param before the file before it was opened, or {@code null} if only a line shows it
     */
    private static boolean same(FileChannel channel, Path path, @Nullable FileIdentity before) throws IOException {
        byte[] last = new byte[1];
        boolean torn =
                channel.size() > 0 && channel.read(ByteBuffer.wrap(last), channel.size() - 1) == 1 && last[0] != '\n';
        String marker = "opened " + "-".repeat(ThreadLocalRandom.current().nextInt(MAX_PADDING)) + "\n";
        try {
            append(channel, torn ? "\n" + marker : marker);
        } catch (IOException full) {
            if (before == null) {
                throw full;
            }
            return before.equals(FileIdentity.ofPresent(path));
        }
        try {
            return Files.size(path) == channel.size();
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    private static void append(FileChannel channel, String text) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        long at = channel.size();
        while (left.hasRemaining()) {
            at += channel.write(left, at);
        }
    }

    /** Returns its whole text; nothing if no download has written so much. */
    synchronized String text() throws IOException {
        long length = channel.size();
        if (length > MAX) {
            return "";
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) length);
        while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {
            // Some of it at a time.
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    synchronized void append(String text) throws IOException {
        append(channel, text);
    }

    /** Empties it. */
    synchronized void clear() throws IOException {
        channel.truncate(0);
    }

    /** Removes the file. */
    synchronized void delete() throws IOException {
        try {
            Files.deleteIfExists(path);
        } finally {
            close();
        }
    }

    /** Leaves the file to another download, also after an interrupt has closed the channel. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            channel.close();
        } finally {
            System.clearProperty(OWN + path);
        }
    }
}
