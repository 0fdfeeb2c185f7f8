package io.stowline.caching.internal.disk;

import io.stowline.caching.internal.disk.DiskFiles.Sink;
import io.stowline.caching.internal.disk.DiskFormat.DiskHead;
import io.stowline.caching.internal.disk.DiskFormat.Preamble;
import io.stowline.caching.internal.disk.DiskIndex.DiskNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A response on its way to the disk. No reader sees it before it is committed; a failure aborts it and deletes all of
 * it. Thread-safe.
 */
final class DiskWriter {

    private final DiskIndex index;
    private final DiskNode node;
    private final Sink sink;
    private final DiskHead head;
    private final int headLength;
    private final CRC32C checksum = new CRC32C();
    private final ChunkChecksums sums = new ChunkChecksums();
    private long bodyLength;
    private boolean ended;

    private DiskWriter(DiskIndex index, DiskNode node, Sink sink, DiskHead head, int headLength) {
        this.index = index;
        this.node = node;
        this.sink = sink;
        this.head = head;
        this.headLength = headLength;
    }

    /** Begins a file with this head. */
    static DiskWriter begin(DiskIndex index, String key, DiskHead head) throws IOException {
        ByteBuffer bytes = DiskFormat.head(key, head);
        int length = bytes.remaining();
        DiskNode node = index.begin(key);
        try {
            index.grow(node, DiskFormat.PREAMBLE + length);
            DiskWriter writer = new DiskWriter(index, node, index.create(node), head, length);
            writer.writeHead(bytes);
            return writer;
        } catch (IOException | RuntimeException e) {
            index.remove(node);
            throw e;
        }
    }

    private void writeHead(ByteBuffer bytes) throws IOException {
        checksum.update(bytes.duplicate());
        try {
            sink.write(bytes, DiskFormat.PREAMBLE);
        } catch (IOException | RuntimeException e) {
            abort();
            throw e;
        }
    }

    /** Lets what was written count as the newer head of an entry. It is not forced: if it is damaged, the older head counts. */
    synchronized void commitHead(DiskNode entry) throws IOException {
        try {
            finish();
            sink.close();
            index.commitHead(node, entry);
            ended = true;
        } catch (IOException | RuntimeException e) {
            abort();
            throw e;
        }
    }

    /**
     * Adds to the body.
     *
     * @param bytes all that remains in the buffer, which is then consumed
     * @throws IOException if the disk is full, the bound is reached or something else is wrong; the writer is aborted then
     */
    synchronized void write(ByteBuffer bytes) throws IOException {
        checkOpen();
        int length = bytes.remaining();
        try {
            index.grow(node, length);
            checksum.update(bytes.duplicate());
            sums.add(bytes);
            sink.write(bytes, DiskFormat.PREAMBLE + headLength + bodyLength);
            bodyLength += length;
        } catch (IOException | RuntimeException e) {
            abort();
            throw e;
        }
    }

    /**
     * Ends the body, and puts the response in the place of the previous one.
     *
     * @throws IOException if it cannot be kept; the previous one stays
     */
    synchronized DiskEntry commit() throws IOException {
        checkOpen();
        try {
            Preamble preamble = finish();
            sink.force();
            sink.close();
            DiskIndex.Reading reading = index.commit(node);
            ended = true;
            return new DiskEntry(index, reading, head, preamble, sums.complete());
        } catch (IOException | RuntimeException e) {
            abort();
            throw e;
        }
    }

    private Preamble finish() throws IOException {
        int sum = DiskFormat.checksum(checksum, bodyLength, headLength);
        Preamble preamble = new Preamble(bodyLength, sum, headLength);
        sink.write(preamble.bytes(), 0);
        return preamble;
    }

    /** Forgets what was written. After the end it does nothing. */
    synchronized void abort() {
        if (!ended) {
            ended = true;
            DiskFiles.closeQuietly(sink);
            index.remove(node);
        }
    }

    private void checkOpen() throws IOException {
        if (ended) {
            throw new IOException("this response was committed or given up already");
        }
    }
}
