package io.stowline.blob.internal.file;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A writer of a sink's bytes to a file, on a thread for files: the counterpart of {@code FileSlices}. It keeps a few
 * parts in the memory of the connection; once they are enough, {@link #ready} pauses their source. Parts come one after
 * the other, of several attempts as of one, and are written in their order. Thread-safe; no foreign code runs under the lock.
 */
public final class WriteBehind implements AutoCloseable {

    /** Bytes from which on no more are requested. */
    private static final int ENOUGH = 4 * RequestBody.SLICE;

    /** Bytes from which on a thread begins to write; once no more than these are left, more are requested. */
    private static final int HALF = ENOUGH / 2;

    /** The most memory that it holds: one part more than is enough, with the direct memory of its connection. */
    public static final int MAX_BUFFERED_BYTES = ENOUGH + 2 * RequestBody.SLICE;

    private final FileTarget target;
    private final Executor threads;
    private final Queue<KeptPart> parts = new ArrayDeque<>();
    private int buffered;
    /** True if a thread writes, is about to, or has come to the end. */
    private boolean writing;

    private boolean ended;
    private boolean over;
    private @Nullable Runnable awaited;

    /** A part that is to be written, and the memory that it holds. */
    private record KeptPart(ByteBuf bytes, int buffered) {

        private static final KeptPart END = new KeptPart(Unpooled.EMPTY_BUFFER, 0);

        boolean last() {
            return buffered == 0;
        }
    }

    /** The target of the bytes. One thread at a time calls it. */
    public interface FileTarget {

        /** Writes the next bytes, all of them. */
        void write(ByteBuffer bytes) throws IOException;

        /** Finishes after all bytes have been written. */
        void finish() throws IOException;

        /** Reports that it cannot be written. No other call follows, and none at all once all is dropped. */
        void failed(Throwable error);
    }

    /**
     * Makes an empty writer.
     *
     * @param threads the threads that call the target
     */
    public WriteBehind(FileTarget target, Executor threads) {
        this.target = target;
        this.threads = threads;
    }

    /** Takes a part, also one more than is enough. What comes after an error or the end is dropped. */
    public void add(BodyPart part) {
        KeptPart kept = new KeptPart(part.keep(), part.bufferedBytes());
        boolean wakes;
        synchronized (this) {
            if (over || ended) {
                kept.bytes.release();
                return;
            }
            parts.add(kept);
            buffered += kept.buffered;
            wakes = buffered >= HALF && wakes();
        }
        if (wakes) {
            write();
        }
    }

    private boolean wakes() {
        boolean sleeps = !writing;
        writing = true;
        return sleeps;
    }

    private void write() {
        try {
            threads.execute(this::writeAll);
        } catch (Throwable refused) { // no thread will ever write
            fail(refused);
        }
    }

    /**
     * Returns whether more may come.
     *
     * @param again run once more may come, on a thread for files, if none may come now
     */
    public synchronized boolean ready(Runnable again) {
        boolean room = over || buffered < ENOUGH;
        awaited = room ? null : again;
        return room;
    }

    /** Ends the parts. Once all are written, the target is finished. */
    public void end() {
        boolean wakes;
        synchronized (this) {
            ended = true;
            wakes = !over && wakes();
        }
        if (wakes) {
            write();
        }
    }

    private void writeAll() {
        try {
            KeptPart part = next();
            for (; part != null && !part.last(); part = next()) {
                try {
                    target.write(part.bytes.nioBuffer());
                } finally {
                    part.bytes.release();
                    written(part.buffered);
                }
            }
            if (part != null) {
                target.finish();
            }
        } catch (IOException | RuntimeException | Error failed) { // whatever it is, the transfer must be notified of it
            fail(failed);
        }
    }

    private synchronized @Nullable KeptPart next() {
        KeptPart part = parts.poll();
        if (part == null && ended && !over) {
            part = KeptPart.END;
        }
        writing = part != null;
        return part;
    }

    private void written(int bytes) {
        Runnable again;
        synchronized (this) {
            buffered -= bytes;
            again = buffered <= HALF ? awaited : null;
            if (again != null) {
                awaited = null;
            }
        }
        if (again != null) {
            again.run();
        }
    }

    /** The target does not receive it after a close, as the file is closed, too. */
    private void fail(Throwable failure) {
        if (drop()) {
            target.failed(failure);
        }
    }

    /** Drops what is not written. It does not wait for the write that runs. */
    @Override
    public void close() {
        drop();
    }

    private boolean drop() {
        Runnable again;
        boolean first;
        synchronized (this) {
            first = !over;
            over = true;
            for (KeptPart part : parts) {
                part.bytes.release();
                buffered -= part.buffered;
            }
            parts.clear();
            again = awaited;
            awaited = null;
        }
        if (again != null) {
            again.run();
        }
        return first;
    }
}
