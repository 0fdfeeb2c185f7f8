package io.stowline.journal.internal.spool;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** The operations of a file system that a spool needs, so that tests can let each of them fail. Thread-safe. */
public interface SpoolDisk {

    /** The disk of the operating system. */
    SpoolDisk SYSTEM = new SystemDisk();

    /** Makes a file that is not there yet and that its owner alone may read and write. */
    OpenFile create(Path file) throws IOException;

    /** Opens a file that is there. */
    OpenFile open(Path file, boolean writable) throws IOException;

    /** Deletes a file. */
    void delete(Path file) throws IOException;

    /** Gives a file another name in its folder. */
    void move(Path file, Path name) throws IOException;

    /** Puts the names in a folder on the disk. */
    void force(Path folder) throws IOException;

    /** Returns a time in nanoseconds, of which only differences count. */
    long nanoTime();

    /** An open file, which an interrupt of its user does not close. Not safe for use by many threads, but for {@link #sync}. */
    interface OpenFile extends Closeable {

        /** Returns the number of its bytes. */
        long size() throws IOException;

        /** Writes the first bytes of a buffer; where it throws, some of them may be written. */
        void write(long position, byte[] bytes, int length) throws IOException;

        /** Reads as many bytes as there are, up to a length, and returns their number. */
        int read(long position, byte[] into, int offset, int length) throws IOException;

        /** Cuts the file off. */
        void truncate(long size) throws IOException;

        /** Waits until the disk has all that was written. */
        void sync() throws IOException;
    }
}
