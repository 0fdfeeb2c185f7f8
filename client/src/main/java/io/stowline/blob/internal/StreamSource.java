package io.stowline.blob.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Somebody's stream, which stays theirs to close. */
final class StreamSource implements ByteSource {

    /** Short streams do not cost a whole block. */
    private static final int FIRST = 64 * 1024;

    private final InputStream stream;

    StreamSource(InputStream stream) {
        this.stream = stream;
    }

    @Override
    public long length() {
        return UNKNOWN;
    }

    @Override
    public ByteBuffer read(int most) throws IOException {
        byte[] bytes = new byte[Math.min(FIRST, most)];
        int filled = stream.readNBytes(bytes, 0, bytes.length);
        if (filled == bytes.length && filled < most) {
            byte[] whole = new byte[most];
            System.arraycopy(bytes, 0, whole, 0, filled);
            filled += stream.readNBytes(whole, filled, most - filled);
            bytes = whole;
        }
        return ByteBuffer.wrap(bytes, 0, filled);
    }

    @Override
    public void close() {}
}
