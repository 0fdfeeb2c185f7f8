package io.stowline.records.internal.read;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.error.WaitInterruptedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The downloads of blobs, opened in the order of a plan before the reader comes to them. What is opened and waits holds no memory that other
 * transfers need. The reader calls it; closing comes from any thread.
 */
final class AheadBlobs implements AutoCloseable {

    /** Other threads than those of readers, which wait for these. */
    private static final Scheduler OPENING =
            Schedulers.newBoundedElastic(64, Integer.MAX_VALUE, "stowline-records-open", 30, true);

    private static final Executor THREADS = OPENING::schedule;
    private static final int RANGE = 2 << 20;
    private static final int RANGES = 2;

    private final BlobContainer container;
    private final int ahead;
    private final Deque<RecordBlob> planned = new ArrayDeque<>();
    private final Map<String, CompletableFuture<BlobDownload>> opening = new HashMap<>();
    private boolean closed;

    AheadBlobs(BlobContainer container, int ahead) {
        this.container = container;
        this.ahead = ahead;
    }

    /** Adds blobs behind those of the plan. */
    synchronized void plan(List<RecordBlob> blobs) {
        planned.addAll(blobs);
    }

    /**
     * Opens a blob at an offset.
     *
     * @throws io.stowline.error.StorageException if that fails
     */
    BlobDownload open(RecordBlob blob, long offset) {
        CompletableFuture<BlobDownload> wanted;
        synchronized (this) {
            CompletableFuture<BlobDownload> begun = opening.remove(blob.name());
            planned.remove(blob);
            if (begun != null && offset > 0) {
                release(begun);
                begun = null;
            }
            wanted = begun == null ? begin(blob, offset) : begun;
            while (opening.size() < ahead && !planned.isEmpty()) {
                RecordBlob next = planned.poll();
                opening.put(next.name(), begin(next, 0));
            }
            if (closed) {
                drop();
            }
        }
        return await(wanted);
    }

    private CompletableFuture<BlobDownload> begin(RecordBlob blob, long offset) {
        return CompletableFuture.supplyAsync(
                () -> container.openDownload(blob.name(), with -> {
                    with.asStored().parallelism(RANGES).rangeSize(RANGE);
                    return offset > 0 ? with.range(offset, Long.MAX_VALUE) : with;
                }),
                THREADS);
    }

    private static BlobDownload await(CompletableFuture<BlobDownload> wanted) {
        try {
            return wanted.get();
        } catch (InterruptedException e) {
            release(wanted);
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("the reader was interrupted while it waited for a blob", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private static void release(CompletableFuture<BlobDownload> download) {
        CompletableFuture<Void> unused = download.thenAccept(BlobDownload::close);
    }

    private void drop() {
        planned.clear();
        opening.values().forEach(AheadBlobs::release);
        opening.clear();
    }

    @Override
    public synchronized void close() {
        closed = true;
        drop();
    }
}
