package io.stowline.caching.internal.disk;

import io.stowline.caching.internal.disk.DiskFiles.DiskSource;
import io.stowline.caching.internal.disk.DiskFormat.Keyed;
import io.stowline.caching.internal.disk.DiskFormat.Preamble;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file whose preamble and head make sense and whose length is right; its checksum is another matter.
 *
 * @param source the open file
 * @param sums the checksums of its body, once it was read
 */
record StoredFile(DiskSource source, Preamble preamble, ByteBuffer headBytes, Keyed keyed, ChunkChecksums sums) {

    private static final int CHUNK = 128 * 1024;

    /** Reads what stands before the body, or null if the file is damaged. */
    static @Nullable StoredFile of(DiskSource source) throws IOException {
        ByteBuffer first = read(source, 0, DiskFormat.PREAMBLE);
        Preamble preamble = DiskFormat.preamble(first);
        if (preamble == null || preamble.fileLength() != source.size()) {
            return null;
        }
        ByteBuffer head = read(source, DiskFormat.PREAMBLE, preamble.headLength());
        Keyed keyed = DiskFormat.keyed(head.duplicate());
        return keyed == null ? null : new StoredFile(source, preamble, head, keyed, new ChunkChecksums());
    }

    /** Reads all, or null if it is damaged or the file of another key. */
    static @Nullable StoredFile intact(DiskSource source, String key) throws IOException {
        StoredFile stored = of(source);
        boolean complete = stored != null && stored.keyed.key().equals(key) && stored.isIntact();
        return complete ? stored : null;
    }

    private boolean isIntact() throws IOException {
        CRC32C checksum = new CRC32C();
        checksum.update(headBytes.duplicate());
        ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK, preamble.bodyLength()));
        for (long at = preamble.bodyAt(); at < preamble.fileLength(); at += chunk.limit()) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), preamble.fileLength() - at));
            source.read(chunk, at);
            if (chunk.hasRemaining()) {
                return false;
            }
            sums.add(chunk.flip());
            checksum.update(chunk);
        }
        sums.complete();
        return DiskFormat.checksum(checksum, preamble.bodyLength(), preamble.headLength()) == preamble.checksum();
    }

    private static ByteBuffer read(DiskSource source, long position, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        source.read(into, position);
        return into.flip();
    }
}
