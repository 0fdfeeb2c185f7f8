package io.stowline.caching.internal.disk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** The checksums of a body by its chunks, so that each chunk can be checked when it is read once more. Not thread-safe until it is complete. */
final class ChunkChecksums {

    /** A body is read in chunks of so many bytes. */
    static final int CHUNK = 64 * 1024;

    private final List<Integer> sums = new ArrayList<>();
    private final CRC32C sum = new CRC32C();
    private int filled;

    /** Adds what comes next; the buffer stays as it is. */
    void add(ByteBuffer bytes) {
        ByteBuffer left = bytes.duplicate();
        while (left.hasRemaining()) {
            int some = Math.min(left.remaining(), CHUNK - filled);
            sum.update(left.slice(left.position(), some));
            left.position(left.position() + some);
            filled += some;
            if (filled == CHUNK) {
                end();
            }
        }
    }

    private void end() {
        sums.add((int) sum.getValue());
        sum.reset();
        filled = 0;
    }

    /** Ends the last chunk, after all bytes have been added. */
    ChunkChecksums complete() {
        if (filled > 0) {
            end();
        }
        return this;
    }

    /** Returns whether the bytes of a chunk still match; the buffer stays as it is. */
    boolean match(int chunk, ByteBuffer bytes) {
        CRC32C now = new CRC32C();
        now.update(bytes.duplicate());
        return chunk < sums.size() && sums.get(chunk) == (int) now.getValue();
    }
}
