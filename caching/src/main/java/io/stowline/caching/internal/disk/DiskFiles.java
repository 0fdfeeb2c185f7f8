package io.stowline.caching.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.LoggerFactory;

/** All that a {@link DiskTier} does with files, one method for each operation, so that a test can let each one fail. */
interface DiskFiles {

    /** A file that is being written, by one thread at a time. */
    interface Sink extends AutoCloseable {

        /** Writes all that remains in the buffer. */
        void write(ByteBuffer bytes, long position) throws IOException;

        /** Returns when what was written is on the disk. */
        void force() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A file that is open for reading, also after it was deleted. Thread-safe; an interrupt does not close it. */
    interface DiskSource extends AutoCloseable {

        /** Reads until the buffer is full or the file ends. */
        void read(ByteBuffer into, long position) throws IOException;

        long size() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Returns the files in a folder, those used longest ago first. */
    List<Path> list(Path folder) throws IOException;

    /** Returns a new file that only its owner may read. */
    Sink create(Path file) throws IOException;

    DiskSource open(Path file) throws IOException;

    /** Gives a file another name in one step, in place of the file that has it. */
    void move(Path from, Path to) throws IOException;

    /** Removes a file if it is there. */
    void delete(Path file) throws IOException;

    /** Marks a file as used now. */
    void touch(Path file) throws IOException;

    /** Closes what is useless by now. */
    static void closeQuietly(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            LoggerFactory.getLogger(DiskFiles.class).debug("a file of the cache could not be closed", e);
        }
    }
}
