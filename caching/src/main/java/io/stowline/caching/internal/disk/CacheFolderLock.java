package io.stowline.caching.internal.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The right to a folder, which one process at a time has. The operating system takes it back when the process ends, however it ends; the
 * process id in the file is there for the message only.
 */
final class CacheFolderLock implements AutoCloseable {

    /** The name of the file that is locked. It also marks a folder as a cache's. */
    static final String NAME = "stowline-cache.owner";

    private static final int MAX_PID = 20;

    /** Beyond the text, which others must be able to read where a lock keeps readers out. */
    private static final long LOCKED_AT = Long.MAX_VALUE - 1;

    /**
     * Begins the names of the system properties that hold the folders of this process, of all its class loaders. POSIX takes a lock back as
     * soon as its process closes any descriptor of the file, so that a second channel must not even be opened.
     */
    private static final String OWN = "io.stowline.caching.owner:";

    private final Path folder;
    private final FileChannel channel;

    private CacheFolderLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** Takes a folder, which is given by its real path. */
    static CacheFolderLock of(DiskCacheFolder of) throws IOException {
        Path folder = of.path();
        String self = String.valueOf(ProcessHandle.current().pid());
        if (System.getProperties().putIfAbsent(OWN + folder, self) != null) {
            throw inUse(folder, self);
        }
        try {
            return new CacheFolderLock(folder, locked(folder, self));
        } catch (IOException | RuntimeException | Error e) {
            System.clearProperty(OWN + folder);
            throw e;
        }
    }

    private static FileChannel locked(Path folder, String self) throws IOException {
        Path file = folder.resolve(NAME);
        FileChannel channel = opened(file);
        try {
            @Nullable FileLock lock = locked(channel);
            if (lock == null) {
                throw inUse(folder, owner(file));
            }
            channel.truncate(0).write(ByteBuffer.wrap(self.getBytes(StandardCharsets.US_ASCII)), 0);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static @Nullable FileLock locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(LOCKED_AT, 1, false);
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static FileChannel opened(Path file) throws IOException {
        try {
            return PrivateFiles.writable(file, StandardOpenOption.CREATE);
        } catch (IOException e) {
            throw new IOException("the file " + file + " of the cache cannot be opened: " + e.getMessage(), e);
        }
    }

    private static IOException inUse(Path folder, String pid) {
        return new IOException("the cache folder " + folder + " is in use by process " + pid);
    }

    private static String owner(Path file) {
        try (InputStream text = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            String pid = new String(text.readNBytes(MAX_PID), StandardCharsets.US_ASCII);
            return pid.isEmpty() ? "(unknown)" : pid;
        } catch (IOException e) {
            return "(unknown)";
        }
    }

    /** Gives the folder back. Repeated calls do nothing. */
    @Override
    public void close() throws IOException {
        if (!channel.isOpen()) {
            return;
        }
        try {
            channel.close();
        } finally {
            System.clearProperty(OWN + folder);
        }
    }
}
