package io.stowline.transport.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Bytes of a body in the memory of the connection that brings them. They are valid during the call that gives them, unless they are kept. */
public final class BodyPart {

    private final ByteBuf memory;
    private final int length;
    private final boolean borrowed;

    /**
     * The next bytes of some memory.
     *
     * @param borrowed whether the memory is another HTTP client's, which does not learn that it is still in use
     */
    BodyPart(ByteBuf memory, int length, boolean borrowed) {
        this.memory = memory;
        this.length = length;
        this.borrowed = borrowed;
    }

    public int length() {
        return length;
    }

    /** Copies all of it into an array, from an index on. */
    public void copyTo(byte[] target, int at) {
        memory.getBytes(memory.readerIndex(), target, at, length);
    }

    /** The same bytes for longer than the call, to be released. */
    ByteBuf keep() {
        return borrowed
                ? Unpooled.copiedBuffer(memory.nioBuffer(memory.readerIndex(), length))
                : memory.retainedSlice(memory.readerIndex(), length);
    }

    /** How much memory is in use as long as it is kept. */
    int held() {
        return borrowed ? length : Math.max(length, memory.capacity());
    }
}
