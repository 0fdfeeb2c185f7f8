package io.stowline.blob.internal.upload;

import io.stowline.blob.internal.base.BufferedBytes.BufferReservation;
import io.stowline.blob.internal.base.Md5;
import io.stowline.transport.StorageLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A part of a content that is uploaded, which can be sent again and again. Immutable. */
final class UploadBlock {

    /** The most of them that a blob takes. */
    static final int MOST = StorageLimits.BLOB_MAX_BLOCKS;

    /** Brings an id to 36 bytes: all ids of a blob must be of one length, and those of Microsoft's Java client have this one. */
    private static final byte[] TAG = "stowline-block-1".getBytes(StandardCharsets.US_ASCII);

    private final int index;
    private final ByteBuffer content;
    private final byte[] md5;
    private final long held;

    private UploadBlock(int index, ByteBuffer content, long held) {
        this.index = index;
        this.content = content;
        this.md5 = Md5.of(content);
        this.held = held;
    }

    /** The block at this place, from 0, with the memory that it keeps. */
    static UploadBlock of(int index, ByteBuffer content, long held) {
        return new UploadBlock(index, content, held);
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

    /** Cuts a source into blocks. Read by one thread. */
    static final class BlockCutter {

        private final ByteSource source;
        private final int blockSize;
        private final BufferReservation ledger;
        private int index;

        BlockCutter(ByteSource source, int blockSize, BufferReservation ledger) {
            this.source = source;
            this.blockSize = blockSize;
            this.ledger = ledger;
        }

        /** The next block, an empty one at the end; it counts as held until {@link #sent}. */
        UploadBlock next() throws IOException {
            ByteBuffer bytes = source.read(blockSize);
            if (bytes.hasRemaining() && index == UploadBlock.MOST) {
                throw new IOException(
                        "the content has more bytes than fit into " + UploadBlock.MOST + " blocks of " + blockSize
                                + " bytes, the most that a blob takes; nothing was committed, use a larger blockSize");
            }
            UploadBlock block = UploadBlock.of(index++, bytes, source.held(bytes));
            ledger.take(block.held());
            return block;
        }

        void sent(UploadBlock block) {
            ledger.free(block.held());
        }
    }

    /** The blocks that make a blob, in their order, with what is true of all of them together. Used by one thread. */
    static final class BlockList {

        private final List<String> ids = new ArrayList<>();
        private final MessageDigest md5 = Md5.begin();
        private long size;

        UploadBlock added(UploadBlock block) {
            ids.add(block.id());
            md5.update(block.content());
            size += block.size();
            return block;
        }

        List<String> ids() {
            return ids;
        }

        long size() {
            return size;
        }

        /** Of the whole content, in Base64; called once. */
        String md5() {
            return Base64.getEncoder().encodeToString(md5.digest());
        }
    }
}
