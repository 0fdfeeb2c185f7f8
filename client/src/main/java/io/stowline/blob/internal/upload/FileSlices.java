package io.stowline.blob.internal.upload;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.stowline.transport.internal.http.BodySlices;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a file for one attempt. The connection takes them; a thread for files reads the next ones into memory of the connection's
 * allocator. Closing it does not wait for a read, which frees its memory when it ends. Nothing foreign runs under the lock.
 */
final class FileSlices implements BodySlices {

    private final FileBody body;
    private final ByteBufAllocator memory;
    private final Executor threads;
    private final Runnable ready;
    private final Queue<ByteBuf> empty = new ArrayDeque<>(FileBody.AHEAD);
    private final Queue<ByteBuf> filled = new ArrayDeque<>(FileBody.AHEAD);
    /** The bytes that have been read, or have memory for the read. */
    private int provided;

    private int read;
    private int taken;
    /** True if a thread reads, or is about to. */
    private boolean reading;
    /** True if that thread fills a slice. */
    private boolean filling;

    private boolean awaited;
    private boolean closed;
    private @Nullable UnreadableBodyException failure;

    /**
     * The slices from the beginning. Nothing is read before the first one is to be sent.
     *
     * @param ready notified on a thread for files that a slice is there, or an error, after there was none
     */
    FileSlices(FileBody body, ByteBufAllocator memory, Executor threads, Runnable ready) {
        this.body = body;
        this.memory = memory;
        this.threads = threads;
        this.ready = ready;
    }

    @Override
    public synchronized boolean hasNext() {
        return !closed && taken < body.length();
    }

    @Override
    public @Nullable ByteBuf next() {
        ByteBuf slice;
        synchronized (this) {
            if (failure != null) {
                throw failure;
            }
            slice = filled.poll();
            awaited = slice == null && !closed;
            taken += slice == null ? 0 : slice.readableBytes();
        }
        try {
            readAhead();
        } catch (RuntimeException | OutOfMemoryError refused) {
            if (slice != null) {
                slice.release();
            }
            throw refused;
        }
        return slice;
    }

    private void readAhead() {
        if (startsReading()) {
            threads.execute(this::readAll);
        }
    }

    /** Provides memory once half of the slices ahead have been taken; true if a thread has to be woken for it. */
    private synchronized boolean startsReading() {
        int ahead = empty.size() + filled.size() + (filling ? 1 : 0);
        if (closed || ahead > FileBody.AHEAD / 2) {
            return false;
        }
        for (; ahead < FileBody.AHEAD && provided < body.length(); ahead++) {
            int size = Math.min(FileBody.SLICE, body.length() - provided);
            empty.add(memory.directBuffer(size, size));
            provided += size;
        }
        boolean wakes = !reading && !empty.isEmpty();
        reading |= wakes;
        return wakes;
    }

    private void readAll() {
        for (ByteBuf slice = toFill(); slice != null; slice = toFill()) {
            int size = slice.capacity();
            UnreadableBodyException failed = null;
            try {
                body.read(slice.nioBuffer(0, size), read);
                slice.writerIndex(size);
                read += size;
            } catch (UnreadableBodyException e) {
                failed = e;
            } catch (Throwable e) { // whatever it is, the connection must be notified of it
                failed = new UnreadableBodyException(
                        e instanceof RuntimeException thrown
                                ? thrown
                                : new IllegalStateException("the body of a request cannot be read", e));
            }
            if (ends(slice, failed)) {
                ready.run();
            }
        }
    }

    private synchronized @Nullable ByteBuf toFill() {
        ByteBuf next = failure == null ? empty.poll() : null;
        reading = next != null;
        filling = next != null;
        return next;
    }

    /** True if the connection waits and there is enough to wake it. */
    private synchronized boolean ends(ByteBuf slice, @Nullable UnreadableBodyException failed) {
        filling = false;
        if (closed || failed != null) {
            slice.release();
            failure = failed;
        } else {
            filled.add(slice);
        }
        boolean enough = failure != null || filled.size() >= FileBody.AHEAD / 2 || empty.isEmpty();
        boolean signals = awaited && enough && !closed;
        awaited &= !signals;
        return signals;
    }

    @Override
    public synchronized void close() {
        closed = true;
        awaited = false;
        empty.forEach(ByteBuf::release);
        empty.clear();
        filled.forEach(ByteBuf::release);
        filled.clear();
    }
}
