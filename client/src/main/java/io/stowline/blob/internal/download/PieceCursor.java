package io.stowline.blob.internal.download;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.error.StorageInterruptedException;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import org.jspecify.annotations.Nullable;

/** The pieces of one download, read on a thread that may block. Used by one thread; closing it ends the download. */
final class PieceCursor implements AutoCloseable {

    private final OrderedRead read;
    private volatile boolean closed;

    PieceCursor(BlobContext scope, String verb, String name, ReadPlan plan) {
        this.read = new OrderedRead(scope, verb, name, plan);
    }

    /** The next piece, or null at the end; the one before is done with. */
    @Nullable
    BlobPiece next() {
        try {
            // What ends because it is closed has not come to its end, and must not look so.
            if (closed) {
                throw new IllegalStateException("the content was closed while it was read");
            }
            return BlockingAwait.on(read.next());
        } catch (StorageInterruptedException e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() {
        closed = true;
        read.close();
    }
}
