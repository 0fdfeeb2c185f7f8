package io.stowline.benchmarks.side.work;

import java.io.InputStream;

/** Long content from memory, whose length is not known before its end. */
public final class ContentStream extends InputStream {

    private final byte[] content;
    private long left;
    private int at;

    /** Content of so many MiB, as photos have it. */
    public ContentStream(int mib) {
        this(Blobs.CONTENT, mib);
    }

    /** Content of so many MiB, which repeats an array. */
    public ContentStream(byte[] content, int mib) {
        this.content = content;
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
        int given = (int) Math.min(left, Math.min(length, content.length - at));
        System.arraycopy(content, at, target, offset, given);
        at = (at + given) % content.length;
        left -= given;
        return given;
    }
}
