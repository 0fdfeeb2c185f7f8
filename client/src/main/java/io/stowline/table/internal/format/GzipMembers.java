package io.stowline.table.internal.format;

import io.stowline.transport.internal.gzip.GzipDecoder;
import io.stowline.transport.internal.gzip.GzipDecoder.GzipFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.ZipException;

/**
 * The plain bytes of a gzip file, of all its members up to the end of the file. The JDK's stream takes a damaged member for the end where
 * its buffer ends between two of them. Not thread-safe.
 */
final class GzipMembers extends InputStream {

    private final InputStream in;
    private final GzipDecoder decoder = new GzipDecoder();
    private final byte[] buffer = new byte[64 << 10];
    private boolean begun;
    private boolean ended;

    GzipMembers(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        try {
            int count = decoder.read(target, from, length);
            while (count == 0 && length > 0 && !ended) {
                fill();
                count = decoder.read(target, from, length);
            }
            return count == 0 && length > 0 ? -1 : count;
        } catch (GzipFormatException e) {
            ZipException damaged = new ZipException(e.getMessage());
            damaged.initCause(e);
            throw damaged;
        }
    }

    private void fill() throws IOException, GzipFormatException {
        int read = in.read(buffer);
        if (read > 0) {
            begun = true;
            decoder.input(ByteBuffer.wrap(buffer, 0, read));
            return;
        }
        ended = true;
        decoder.finish();
        if (!begun) {
            throw new ZipException("it is empty, and a gzip file has at least one member");
        }
    }

    @Override
    public void close() throws IOException {
        decoder.close();
        in.close();
    }
}
