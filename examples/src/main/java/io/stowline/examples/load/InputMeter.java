package io.stowline.examples.load;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A meter that counts the bytes of an input, and stops a row that would not end. Used by one thread. */
final class InputMeter extends FilterInputStream {

    /** A bound in bytes, beyond any row that fits an entity, and beyond the buffers of the readers. */
    static final long MAX_ROW = 16L << 20;

    private long read;
    private long rowStart;

    InputMeter(InputStream in) {
        super(in);
    }

    long bytesRead() {
        return read;
    }

    /** Notes that a row begins. */
    void rowBegins() {
        rowStart = read;
    }

    @Override
    public int read() throws IOException {
        int one = super.read();
        counted(one < 0 ? 0 : 1);
        return one;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int some = super.read(bytes, offset, length);
        counted(Math.max(0, some));
        return some;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void counted(int bytes) throws IOException {
        read += bytes;
        if (read - rowStart > MAX_ROW) {
            throw new IOException("a row is longer than " + (MAX_ROW >> 20) + " MiB; is a quote not closed?");
        }
    }
}
