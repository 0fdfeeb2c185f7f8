package io.stowline.caching.internal.disk;

import io.stowline.caching.internal.disk.DiskFormat.DiskHead;
import io.stowline.caching.internal.disk.DiskIndex.Reading;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;

/**
 * A cached response on disk with its file open: readable to its end whatever happens to the entry. While it is open,
 * its bytes count and it is not evicted. Must be closed. Thread-safe.
 */
final class DiskEntry implements AutoCloseable {

    private final DiskIndex index;
    private final Reading reading;
    private final DiskHead head;
    private final long bodyAt;
    private final long length;
    private final ChunkChecksums sums;
    private final AtomicBoolean closed = new AtomicBoolean();

    DiskEntry(DiskIndex index, Reading reading, DiskHead head, DiskFormat.Preamble preamble, ChunkChecksums sums) {
        this.index = index;
        this.reading = reading;
        this.head = head;
        this.bodyAt = preamble.bodyAt();
        this.length = preamble.bodyLength();
        this.sums = sums;
    }

    DiskHead head() {
        return head;
    }

    /** Returns the length of the body in bytes. */
    long length() {
        return length;
    }

    /**
     * Returns the body in new buffers of at most 64 KiB, from the beginning for each subscriber, read on the requesting
     * thread.
     */
    Flux<ByteBuffer> body() {
        return Flux.<ByteBuffer, Long>generate(() -> 0L, this::next);
    }

    private Long next(Long at, SynchronousSink<ByteBuffer> sink) {
        if (at == length) {
            sink.complete();
            return at;
        }
        ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(ChunkChecksums.CHUNK, length - at));
        try {
            reading.source().read(chunk, bodyAt + at);
            if (chunk.hasRemaining()) {
                throw new EOFException("the file of a cached response has become shorter");
            }
            if (!sums.match((int) (at / ChunkChecksums.CHUNK), chunk.flip())) {
                throw new IOException("the file of a cached response was changed while it was read");
            }
        } catch (IOException | RuntimeException e) {
            sink.error(e);
            return at;
        }
        sink.next(chunk);
        return at + chunk.limit();
    }

    /** Gives the file back. Repeated calls do nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            index.release(reading);
        }
    }
}
