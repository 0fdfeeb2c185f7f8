package io.stowline.ring.internal.table;

import io.stowline.outcome.WriteResult;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** {@link Submission} of an operation on a partition that may move. */
final class RoutedWrite<T> implements Submission<WriteResult> {

    private final TableOperation<T, ?> operation;
    private final long number;
    private final String rowKey;
    private final Predicate<RoutedWrite<T>> removal;
    private final Executor callbacks;
    private final CompletableFuture<WriteResult> end = new CompletableFuture<>();
    private volatile boolean taken;

    /**
     * Makes the handle of an accepted operation.
     *
     * @param number its place in the order of submissions
     * @param removal removes the operation from its lane, and returns false if it has left that
     */
    RoutedWrite(
            TableOperation<T, ?> operation,
            long number,
            String rowKey,
            Predicate<RoutedWrite<T>> removal,
            Executor callbacks) {
        this.operation = operation;
        this.number = number;
        this.rowKey = rowKey;
        this.removal = removal;
        this.callbacks = callbacks;
    }

    TableOperation<T, ?> operation() {
        return operation;
    }

    long number() {
        return number;
    }

    String rowKey() {
        return rowKey;
    }

    boolean isTaken() {
        return taken;
    }

    /** Ends the operation, unless its caller has given it up. */
    void end(@Nullable WriteResult result, @Nullable Throwable error) {
        if (error == null) {
            end.complete(result);
        } else {
            end.completeExceptionally(error);
        }
    }

    @Override
    public boolean cancel() {
        boolean removed = removal.test(this);
        end.completeExceptionally(new CancellationException("the operation was given up"));
        return removed;
    }

    @Override
    public boolean isDone() {
        return end.isDone();
    }

    @Override
    public Mono<WriteResult> result() {
        return Mono.defer(() -> Mono.fromFuture(toFuture(), true));
    }

    @Override
    public CompletableFuture<WriteResult> toFuture() {
        taken = true;
        return end.thenApplyAsync(result -> result, callbacks);
    }

    @Override
    public WriteResult await() throws InterruptedException {
        taken = true;
        try {
            return end.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw new CompletionException(e.getCause());
        }
    }

    @Override
    public void whenComplete(BiConsumer<? super @Nullable WriteResult, ? super @Nullable Throwable> callback) {
        taken = true;
        CompletableFuture<WriteResult> unused =
                end.whenComplete((result, error) -> callbacks.execute(() -> callback.accept(result, error)));
    }
}
