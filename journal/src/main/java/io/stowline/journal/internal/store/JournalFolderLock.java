package io.stowline.journal.internal.store;

import io.stowline.journal.JournalException;
import io.stowline.journal.internal.folder.Durability;
import io.stowline.journal.internal.folder.JournalFolder;
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
import org.jspecify.annotations.Nullable;

/**
 * The right to a folder, which one process at a time has. The operating system takes it back when the process ends, however it ends. The
 * file names the process, for the message only, and records whether the folder has ever held a complete file of records.
 */
final class JournalFolderLock implements AutoCloseable {

    private static final String NAME = "owner";

    /** The second line, once there is a complete file: from then on a folder without one has lost it. */
    private static final String RECORDS = "\nrecords";

    private static final int MAX = 64;

    /** Beyond the text, which others must be able to read where a lock keeps readers out. */
    private static final long LOCKED_AT = Long.MAX_VALUE - 1;

    /**
     * Begins the names of the system properties that hold the folders of this process, of all its class loaders. POSIX takes a lock back
     * as soon as its process closes any descriptor of the file, so that a second channel must not even be opened.
     */
    private static final String OWN = "io.stowline.journal.owner:";

    private final Path folder;
    private final FileChannel channel;
    private boolean hadRecords;

    private JournalFolderLock(Path folder, FileChannel channel, boolean hadRecords) {
        this.folder = folder;
        this.channel = channel;
        this.hadRecords = hadRecords;
    }

    /** Takes a folder, which is given by its real path. */
    static JournalFolderLock of(Path folder) {
        String self = String.valueOf(ProcessHandle.current().pid());
        if (System.getProperties().putIfAbsent(OWN + folder, self) != null) {
            throw inUse(folder, self);
        }
        try {
            return taken(folder, self);
        } catch (IOException e) {
            System.clearProperty(OWN + folder);
            throw new JournalException("the journal " + folder + " cannot be locked: " + e, e);
        } catch (Throwable e) {
            System.clearProperty(OWN + folder);
            throw e;
        }
    }

    private static JournalFolderLock taken(Path folder, String self) throws IOException {
        Path file = folder.resolve(NAME);
        FileChannel channel = JournalFolder.open(file);
        try {
            @Nullable FileLock lock = locked(channel);
            if (lock == null) {
                throw inUse(folder, owner(file));
            }
            ByteBuffer before = ByteBuffer.allocate(MAX);
            channel.read(before, 0);
            boolean hadRecords = new String(before.array(), StandardCharsets.US_ASCII).contains(RECORDS);
            byte[] now = (hadRecords ? self + RECORDS : self).getBytes(StandardCharsets.US_ASCII);
            // Written before it is cut: the second line is there at any moment.
            channel.write(ByteBuffer.wrap(now), 0);
            channel.truncate(now.length);
            return new JournalFolderLock(folder, channel, hadRecords);
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

    private static JournalException inUse(Path folder, String pid) {
        return new JournalException("the journal " + folder + " is in use by process " + pid);
    }

    private static String owner(Path file) {
        try (InputStream text = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            String pid = new String(text.readNBytes(MAX), StandardCharsets.US_ASCII)
                    .lines()
                    .findFirst()
                    .orElse("");
            return pid.isEmpty() ? "(unknown)" : pid;
        } catch (IOException e) {
            return "(unknown)";
        }
    }

    /** Returns whether the folder has, or once had, a complete file of records. */
    synchronized boolean hadRecords() {
        return hadRecords;
    }

    /** Notes that there is a complete file of records, for all openings to come. */
    synchronized void holdsRecords(Durability durability) throws IOException {
        if (!hadRecords) {
            channel.write(ByteBuffer.wrap(RECORDS.getBytes(StandardCharsets.US_ASCII)), channel.size());
            if (durability == Durability.MACHINE) {
                channel.force(true);
            }
            hadRecords = true;
        }
    }

    /** Gives the folder back. Repeated calls do nothing. */
    @Override
    public void close() {
        if (!channel.isOpen()) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw new JournalException("the lock of the journal " + folder + " could not be given back: " + e, e);
        } finally {
            System.clearProperty(OWN + folder);
        }
    }
}
