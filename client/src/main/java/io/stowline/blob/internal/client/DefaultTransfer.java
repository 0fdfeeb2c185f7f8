package io.stowline.blob.internal.client;

import io.stowline.blob.Transfer;
import io.stowline.blob.TransferProgress;
import io.stowline.blob.TransferReport;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.directory.DirectoryTransfer;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** {@link Transfer} that runs a {@link DirectoryTransfer}. */
final class DefaultTransfer implements Transfer {

    private final DirectoryTransfer running;
    private final BlobContext context;
    private final CompletableFuture<TransferReport> work;
    private final CompletableFuture<TransferReport> end = new CompletableFuture<>();

    /** The end for waiting callers. The future itself would keep each caller that has stopped waiting. */
    private final Mono<TransferReport> whenEnded = Mono.fromFuture(end, true).cache();

    private DefaultTransfer(DirectoryTransfer running, BlobContext context) {
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
        return new DefaultTransfer(transfer, context);
    }

    @Override
    public TransferReport join() {
        if (running.isInListener() && !end.isDone()) {
            throw new IllegalStateException(
                    "join() in a listener of the transfer would wait for itself: use join(Duration), or"
                            + " whenComplete()");
        }
        return end.isDone() ? BlockingAwait.result(end) : waited(whenEnded);
    }

    @Override
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

    @Override
    public void cancel() {
        if (work.cancel(true)) {
            end.completeExceptionally(running.cancellation());
        }
    }

    @Override
    public TransferProgress progress() {
        return running.progress();
    }

    @Override
    public Mono<TransferReport> whenComplete() {
        return context.delivered(whenEnded);
    }
}
