package io.stowline.blob.internal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Cuts a source into blocks. Read by one thread. */
final class Blocks {

    private final ByteSource source;
    private final int blockSize;
    private final Ledger ledger;
    private int index;

    Blocks(ByteSource source, int blockSize, Ledger ledger) {
        this.source = source;
        this.blockSize = blockSize;
        this.ledger = ledger;
    }

    /** The next block, an empty one at the end; it counts as held until {@link #sent}. */
    Block next() throws IOException {
        ByteBuffer bytes = source.read(blockSize);
        if (bytes.hasRemaining() && index == Block.MOST) {
            throw new IOException("the content has more bytes than fit into " + Block.MOST + " blocks of " + blockSize
                    + " bytes, the most that a blob takes; nothing was committed, use a larger blockSize");
        }
        Block block = Block.of(index++, bytes, source.held(bytes));
        ledger.take(block.held());
        return block;
    }

    void sent(Block block) {
        ledger.free(block.held());
    }
}
