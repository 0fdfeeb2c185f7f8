package io.stowline.table;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One accepted item, whose result comes exactly once.
 *
 * <p>Callbacks, futures and {@code Mono}s are called and completed on the writer's callback executor, after all
 * bookkeeping. Asking for the result in any way marks it as taken, also after it failed, so that a close no longer
 * reports it. Safe for use by many threads.
 *
 * @param <R> the type of the result
 */
public interface Submission<R> {

    /**
     * Gives the item up. Before its dispatch it is removed and never sent; afterwards, or when it was merged with
     * another item, only the caller is detached and the outcome still counts. In both cases the result fails with a
     * {@link java.util.concurrent.CancellationException}, unless there was one before.
     *
     * @return true when the item will never be sent
     */
    boolean cancel();

    /**
     * Returns whether the result is there.
     *
     * @return true when it is
     */
    boolean isDone();

    /**
     * Returns the result; it is marked as taken when the {@code Mono} is subscribed to. Cancelling a subscription gives
     * up the wait and not the item.
     *
     * @return the result
     */
    Mono<R> result();

    /**
     * Returns the result as a new future. Cancelling the future does not cancel the item.
     *
     * @return the result
     */
    CompletableFuture<R> toFuture();

    /**
     * Waits for the result.
     *
     * @return the result
     * @throws InterruptedException if the thread is interrupted while it waits; the item goes on
     * @throws RuntimeException the error of the item as it is when it is unchecked, and as the cause of a
     *     {@link CompletionException} otherwise
     * @throws IllegalStateException if it would have to wait on a thread that must not block
     */
    R await() throws InterruptedException;

    /**
     * Has a callback called with the result or the error, whichever is not null.
     *
     * @param callback the callback
     */
    void whenComplete(BiConsumer<? super @Nullable R, ? super @Nullable Throwable> callback);
}
