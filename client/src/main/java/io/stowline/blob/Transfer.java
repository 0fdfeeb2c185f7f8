package io.stowline.blob;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.directory.DirectoryTransfer;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A transfer of many blobs that runs: of {@link BlobContainer#uploadDirectory} and its like. It runs whether or not a thread waits for it. It ends
 * by itself, by {@link #cancel}, or with the close of its client: blobs in flight go on to their ends then, within the time of the close, and no
 * other one begins.
 *
 * <p>Thread-safe.
 */
public final class Transfer {

    private final DirectoryTransfer running;
    private final BlobContext context;
    private final CompletableFuture<TransferReport> work;
    private final CompletableFuture<TransferReport> end = new CompletableFuture<>();

    /** The end for waiting callers. The future itself would keep each caller that has stopped waiting. */
    private final Mono<TransferReport> whenEnded = Mono.fromFuture(end, true).cache();

    private Transfer(DirectoryTransfer running, BlobContext context) {
        this.running = running;
        this.context = context;
        this.work = context.delivered(running.run()).toFuture();
        CompletableFuture<TransferReport> unused = work.whenComplete(this::ended);
    }

    /** A cancelled transfer ends in {@link #cancel}. */
    private void ended(@Nullable TransferReport report, @Nullable Throwable error) {
        if (error == null) {
            end.complete(report);
        } else if (!work.isCancelled()) {
            end.completeExceptionally(error);
        }
    }

    static Transfer start(DirectoryTransfer transfer, BlobContext context) {
        return new Transfer(transfer, context);
    }

    /**
     * Waits for the end. An interrupt ends the wait, not the transfer.
     *
     * @return what was done
     * @throws TransferFailedException if the transfer failed; blobs that fail under {@link DirectorySettings.Builder#collectFailures} are in the report instead; with a
     *     {@link CancellationException} as its cause if the transfer was cancelled
     * @throws io.stowline.error.StorageInterruptedException if the waiting thread is interrupted
     * @throws IllegalStateException in a listener of this transfer, which the end waits for
     */
    public TransferReport join() {
        if (running.isInListener() && !end.isDone()) {
            throw new IllegalStateException(
                    "join() in a listener of the transfer would wait for itself: use join(Duration), or"
                            + " whenComplete()");
        }
        return end.isDone() ? BlockingAwait.result(end) : waited(whenEnded);
    }

    /**
     * Waits for the end, but no longer than this.
     *
     * @param atMost the time for it
     * @return what was done; empty if the transfer still runs
     * @throws TransferFailedException if the transfer failed, or was cancelled
     * @throws io.stowline.error.StorageInterruptedException if the waiting thread is interrupted
     */
    public Optional<TransferReport> join(Duration atMost) {
        Objects.requireNonNull(atMost, "atMost");
        return end.isDone()
                ? Optional.of(BlockingAwait.result(end))
                : waited(whenEnded.map(Optional::of).timeout(after(atMost), Mono.just(Optional.empty())));
    }

    /** Completes after a time, by the clock of the JDK: that of the client ends before its transfers. */
    private static Mono<Void> after(Duration time) {
        return Mono.fromFuture(() -> new CompletableFuture<Void>()
                .completeOnTimeout(null, TimeUnit.NANOSECONDS.convert(time), TimeUnit.NANOSECONDS));
    }

    private static <T> T waited(Mono<T> ended) {
        return Objects.requireNonNull(
                BlockingAwait.on(ended, "interrupted while waiting for the transfer, which goes on"),
                "the transfer ended without a report");
    }

    /**
     * Cancels the transfer. Blobs and files that are being written stay as they were; what has ended stays done. After the end it does
     * nothing.
     */
    public void cancel() {
        if (work.cancel(true)) {
            end.completeExceptionally(running.cancellation());
        }
    }

    /**
     * Returns how far the transfer has come.
     *
     * @return its progress at this moment
     */
    public TransferProgress progress() {
        return running.progress();
    }

    /**
     * Returns the end of the transfer without a wait. Cancelling the subscription does not cancel the transfer.
     *
     * @return what was done, or the failure as {@link #join} throws it, on the callback threads
     */
    public Mono<TransferReport> whenComplete() {
        return context.delivered(whenEnded);
    }
}
