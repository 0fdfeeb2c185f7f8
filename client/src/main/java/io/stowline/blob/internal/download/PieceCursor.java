package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.error.StorageInterruptedException;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** The content of one download, read on a thread that may block. Used by one thread; closing it ends the download. */
public final class PieceCursor implements AutoCloseable {

    private final OrderedRead read;
    private final Context context;
    private volatile boolean closed;
    private volatile boolean ended;

    public PieceCursor(BlobContext blobContext, String verb, String name, ReadPlan plan, Context context) {
        this.context = context;
        this.read = new OrderedRead(blobContext, verb, name, plan);
    }

    /** Returns the next piece, which belongs to its receiver, or null at the end. */
    @Nullable
    public BlobPiece next() {
        return await(read.next());
    }

    /** Waits until bytes are there; false at the end. */
    boolean ready() {
        return Boolean.TRUE.equals(await(read.ready()));
    }

    /** Takes bytes; -1 at the end. */
    int read(byte[] target, int offset, int length) {
        int taken = read.read(target, offset, length);
        while (taken == 0) {
            if (!ready()) {
                ended = true;
                return -1;
            }
            taken = read.read(target, offset, length);
        }
        return taken;
    }

    /** Returns the number of all bytes, once it is ready. */
    public long length() {
        return read.length();
    }

    /** Returns the blob, once it is ready. */
    BlobInfo info() {
        return read.info();
    }

    /** Returns the number of bytes that have arrived. */
    int available() {
        return read.available();
    }

    private <T> @Nullable T await(Mono<T> wait) {
        try {
            // What ends because it is closed has not come to its end, and must not look so.
            if (closed) {
                throw new IllegalStateException("the content was closed while it was read");
            }
            return BlockingAwait.on(wait.contextWrite(context));
        } catch (StorageInterruptedException e) {
            close();
            throw e;
        }
    }

    /** Closes it for a caller that has lost it; whether that should have closed it. */
    boolean lost() {
        boolean open = !closed && !ended;
        close();
        return open;
    }

    @Override
    public void close() {
        closed = true;
        read.close();
    }
}
