package io.stowline.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The right to a folder, which one process at a time has. The operating system takes it back when the process ends, however it ends; the
 * process id in the file is there for the message only.
 */
final class FolderLock implements AutoCloseable {

    private static final String NAME = "owner";

    /** Apart from the text, which others must be able to read where a lock keeps readers out. */
    private static final long LOCKED_AT = Long.MAX_VALUE - 1;

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    static FolderLock of(Path folder) {
        Path file = folder.resolve(NAME);
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                if (tryLock(channel) == null) {
                    throw new JournalException("the journal " + folder + " is in use by process " + owner(file));
                }
                byte[] pid = String.valueOf(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
                channel.truncate(0).write(ByteBuffer.wrap(pid), 0);
                return new FolderLock(channel);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new JournalException("the journal " + folder + " cannot be locked: " + e, e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(LOCKED_AT, 1, false);
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static String owner(Path file) {
        try {
            String pid = Files.readString(file, StandardCharsets.US_ASCII);
            return pid.isEmpty() ? "(unknown)" : pid;
        } catch (IOException e) {
            return "(unknown)";
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new JournalException("the lock of a journal could not be given back: " + e, e);
        }
    }
}
