package io.stowline.benchmarks.side.work;

import java.io.InputStream;

/** Long content from memory, whose length is not known before its end. */
public final class ContentStream extends InputStream {

    private long left;
    private int at;

    /** Content of so many MiB. */
    public ContentStream(int mib) {
        this.left = (long) mib << 20;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (left == 0) {
            return length == 0 ? 0 : -1;
        }
        int given = (int) Math.min(left, Math.min(length, Blobs.SIZE - at));
        System.arraycopy(Blobs.CONTENT, at, target, offset, given);
        at = (at + given) % Blobs.SIZE;
        left -= given;
        return given;
    }
}
