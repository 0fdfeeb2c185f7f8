package io.stowline.table.internal.transfer;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * A file of a state that is appended to and made durable. An interrupt closes no such file, as it would a channel: what is certain is saved
 * after one, and the transfer ends at its next wait. For one thread.
 */
final class PartFile extends OutputStream {

    private final RandomAccessFile file;

    private PartFile(RandomAccessFile file) {
        this.file = file;
    }

    /** Opens a file, or makes it, cut to the length that it had when the state was saved. */
    static PartFile open(Path path, long length) throws IOException {
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        if (file.length() < length) {
            file.close();
            throw new IOException("the file " + path + " is shorter than its state has it: delete the state, and begin"
                    + " from the start");
        }
        file.setLength(length);
        file.seek(length);
        return new PartFile(file);
    }

    @Override
    public void write(int one) throws IOException {
        file.write(one);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        file.write(bytes, from, length);
    }

    /** Returns the length of what has been written. */
    long length() throws IOException {
        return file.getFilePointer();
    }

    /** Makes it durable. */
    void force() throws IOException {
        file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
