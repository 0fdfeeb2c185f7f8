package io.stowline.table.internal.operation;

import io.stowline.batching.internal.writer.PendingItem;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Submission;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Submission of an operation that the engine has accepted. */
public record AcceptedWrite(PendingItem<WriteResult> item) implements Submission<WriteResult> {

    @Override
    public boolean cancel() {
        return item.cancel();
    }

    @Override
    public boolean isDone() {
        return item.isDone();
    }

    @Override
    public Mono<WriteResult> result() {
        return item.result();
    }

    @Override
    public CompletableFuture<WriteResult> toFuture() {
        return item.toFuture();
    }

    @Override
    public WriteResult await() throws InterruptedException {
        return item.await();
    }

    @Override
    public void whenComplete(BiConsumer<? super @Nullable WriteResult, ? super @Nullable Throwable> callback) {
        item.whenComplete(callback);
    }
}
