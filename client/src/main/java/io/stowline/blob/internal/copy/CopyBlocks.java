package io.stowline.blob.internal.copy;

import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.upload.BlockOperations;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The blocks of one copy, by the version of its source. Their ids are of the source, the version and the range, so that another run of the same copy
 * finds the blocks that this one leaves, and no other copy or upload does. Immutable.
 *
 * @param source the address of the source, without a signature
 * @param etag the version of the source
 * @param size the bytes of the source
 * @param blockSize the bytes of each block but the last
 */
record CopyBlocks(String source, String etag, long size, int blockSize) {

    private static final byte[] TAG = "stowline-copied1".getBytes(StandardCharsets.US_ASCII);

    /** Returns the number of blocks. */
    int count() {
        return Math.toIntExact((size + blockSize - 1) / blockSize);
    }

    /** Returns where a block begins in the source. */
    long first(int index) {
        return (long) index * blockSize;
    }

    /** Returns the bytes of a block. */
    long bytes(int index) {
        return Math.min(blockSize, size - first(index));
    }

    /** Returns the id of a block, in Base64. */
    String id(int index) {
        String content = source + '\n' + etag + '\n' + first(index) + '+' + bytes(index);
        byte[] digest = Md5.of(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
        ByteBuffer id = ByteBuffer.allocate(BlockOperations.ID_LENGTH)
                .putInt(index)
                .put(digest)
                .put(TAG);
        return Base64.getEncoder().encodeToString(id.array());
    }

    /** Returns the ids of all blocks, in their order. */
    List<String> ids() {
        return IntStream.range(0, count()).mapToObj(this::id).toList();
    }
}
