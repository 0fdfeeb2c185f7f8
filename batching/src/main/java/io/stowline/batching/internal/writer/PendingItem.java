package io.stowline.batching.internal.writer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Accepted item whose result arrives exactly once. Callbacks, futures and {@code Mono}s complete on the callback executor, after all
 * bookkeeping; each of these methods but {@link #cancel} and {@link #isDone} marks the result as taken. Safe for use by many threads.
 *
 * @param <R> the type of the result
 */
public interface PendingItem<R> {

    /**
     * Gives the item up. Before its dispatch it is removed and never sent; afterwards, or when it was merged with another item, only the
     * caller is detached. The result fails with a {@link java.util.concurrent.CancellationException}, unless there was one before.
     *
     * @return true when the item will never be sent
     */
    boolean cancel();

    /** Returns whether the result is there. */
    boolean isDone();

    /** Returns the result; it is marked as taken on subscription. Cancelling a subscription does not cancel the item. */
    Mono<R> result();

    /** Returns the result as a new future. Cancelling the future does not cancel the item. */
    CompletableFuture<R> toFuture();

    /**
     * Waits for the result.
     *
     * @throws InterruptedException if the thread is interrupted while it waits; the item goes on
     * @throws RuntimeException the error of the item: unchecked as it is, otherwise as the cause of a {@link CompletionException}
     * @throws IllegalStateException if it would have to wait on a thread that must not block
     */
    R await() throws InterruptedException;

    /** Has a callback called with the result or the error, one of which is null. */
    void whenComplete(BiConsumer<? super @Nullable R, ? super @Nullable Throwable> callback);
}
