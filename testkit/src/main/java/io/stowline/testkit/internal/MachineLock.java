package io.stowline.testkit.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A lock that runs one action at a time per lock file, over all threads and all processes of this machine.
 *
 * <p>The operating system frees the lock of a process that died. The file stays: deleting it would let two holders lock two
 * files of one name.
 */
final class MachineLock {

    private final Path file;

    MachineLock(Path file) {
        this.file = file.toAbsolutePath().normalize();
    }

    <T> T locked(LockedAction<T> action) throws IOException {
        // A file lock belongs to the whole JVM and is lost when any channel of the file is closed, so only one thread
        // may
        // have the file open. Interned, because two class loaders may each hold a copy of this class.
        synchronized (("stowline lock " + file).intern()) {
            Files.createDirectories(file.getParent());
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                return action.run(lock);
            }
        }
    }

    /** An action under the lock. */
    @FunctionalInterface
    interface LockedAction<T> {

        T run(FileLock lock) throws IOException;
    }
}
