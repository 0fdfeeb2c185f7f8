package io.stowline.blob.internal;

import io.stowline.transport.StorageLimits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A part of a content that is uploaded, which can be sent again and again. Immutable. */
final class Block {

    /** The most of them that a blob takes. */
    static final int MOST = StorageLimits.BLOB_MAX_BLOCKS;

    /** Brings an id to 36 bytes: all ids of a blob must be of one length, and those of Microsoft's Java client have this one. */
    private static final byte[] TAG = "stowline-block-1".getBytes(StandardCharsets.US_ASCII);

    private final int index;
    private final ByteBuffer content;
    private final byte[] md5;
    private final long held;

    private Block(int index, ByteBuffer content, long held) {
        this.index = index;
        this.content = content;
        this.md5 = Md5.of(content);
        this.held = held;
    }

    /** The block at this place, from 0, with the memory that it keeps. */
    static Block of(int index, ByteBuffer content, long held) {
        return new Block(index, content, held);
    }

    boolean isEmpty() {
        return !content.hasRemaining();
    }

    int size() {
        return content.remaining();
    }

    ByteBuffer content() {
        return content.duplicate();
    }

    byte[] md5() {
        return md5;
    }

    long held() {
        return held;
    }

    /** Of index and content, so that the block of another run can be known again; no more can be learnt from the service's list. */
    String id() {
        ByteBuffer id = ByteBuffer.allocate(Integer.BYTES + md5.length + TAG.length);
        id.putInt(index).put(md5).put(TAG);
        return Base64.getEncoder().encodeToString(id.array());
    }
}
