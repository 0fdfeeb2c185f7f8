package io.stowline.blob.internal.base;

import io.stowline.transport.internal.concurrent.LeakDetector;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Flux;

/**
 * Content that arrives in parts, as a stream. Used by one thread. Its end frees what the parts hold, and so does its close; a stream that its
 * caller loses before is closed, which the log shows.
 */
public final class FluxStream extends InputStream {

    private final FluxCursor<ByteBuffer> parts;
    private final OpenParts open;
    private final Cleaner.Cleanable watch;
    private ByteBuffer part = ByteBuffer.allocate(0);
    private boolean ended;
    private boolean closed;

    /**
     * A stream of parts.
     *
     * @param what how to call it
     * @param release frees what the parts hold
     */
    public FluxStream(Flux<ByteBuffer> source, String what, Runnable release) {
        this.parts = new FluxCursor<>(source);
        OpenParts parts = new OpenParts(this.parts, release);
        this.open = parts;
        this.watch = LeakDetector.shared().closing(this, what, parts::free);
    }

    /** The parts of a stream until they are freed. Apart: the cleaner must not reference the stream that it watches. */
    private record OpenParts(FluxCursor<ByteBuffer> parts, Runnable release, AtomicBoolean freed) {

        OpenParts(FluxCursor<ByteBuffer> parts, Runnable release) {
            this(parts, release, new AtomicBoolean());
        }

        /** Frees them; false if they are free already. */
        boolean free() {
            boolean first = freed.compareAndSet(false, true);
            if (first) {
                parts.close();
                release.run();
            }
            return first;
        }
    }

    private boolean ready() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        while (!part.hasRemaining()) {
            if (ended || !parts.hasNext()) {
                ended = true;
                open.free();
                return false;
            }
            part = parts.next();
        }
        return true;
    }

    @Override
    public int read() throws IOException {
        return ready() ? part.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        try {
            if (!ready()) {
                return -1;
            }
            int count = Math.min(length, part.remaining());
            part.get(target, offset, count);
            return count;
        } finally {
            // A caller that uses it no more has not lost it before this read has ended.
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public int available() {
        return closed ? 0 : part.remaining();
    }

    @Override
    public void close() {
        closed = true;
        open.free();
        watch.clean();
    }
}
