package io.stowline.queue.internal.body;

import io.stowline.queue.MessageCodec;

/** The bytes as they are. */
public final class BytesCodec implements MessageCodec<byte[]> {

    /** The only one; it has no state. */
    public static final BytesCodec INSTANCE = new BytesCodec();

    private BytesCodec() {}

    @Override
    public byte[] encode(byte[] value) {
        return value;
    }

    @Override
    public byte[] decode(byte[] bytes) {
        return bytes;
    }

    @Override
    public String toString() {
        return "bytes";
    }
}
