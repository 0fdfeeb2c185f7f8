package io.stowline.blob.internal;

import java.nio.ByteBuffer;

/** Content that is in memory already. */
final class ArraySource implements ByteSource {

    private final ByteBuffer left;

    ArraySource(byte[] content) {
        this.left = ByteBuffer.wrap(content);
    }

    @Override
    public long length() {
        return left.capacity();
    }

    @Override
    public ByteBuffer read(int most) {
        int size = Math.min(most, left.remaining());
        ByteBuffer next = left.slice(left.position(), size);
        left.position(left.position() + size);
        return next;
    }

    @Override
    public long held(ByteBuffer bytes) {
        return 0;
    }

    @Override
    public void close() {}
}
