package io.stowline.batching.internal.writer;

import java.util.Optional;
import reactor.core.publisher.Mono;

/**
 * One writer: takes items one by one and has them sent in batches by the shared engine.
 *
 * <ul>
 *   <li>An item is refused with an error, or accepted; accepted means exactly one result, whatever happens.
 *   <li>Items of one entity are sent in the order of their submits.
 *   <li>The buffer is bounded: what is accepted and not terminal, and what is terminal until its callbacks have run;
 *       {@link BatcherSettings} has the bounds and defaults. A submit is refused only when the buffer or its lane's share is
 *       full, or other submits wait for room before it. A crash loses at most {@link #bufferedItems()} items, or
 *       {@link #bufferedBytes()} bytes.
 *   <li>Failed items whose results are not taken are kept for {@link #takeFailures()} and {@link #close()}: the first 1,000
 *       and at most an eighth of {@code bufferBytes}, which they take from the buffer; the rest by number.
 *   <li>An error that dooms all breaks the writer: every later submit throws it.
 * </ul>
 *
 * <p>All methods are safe for use by many threads, and within callbacks.
 */
public interface Batcher<K, I, R> extends AutoCloseable {

    /**
     * Submits an item, and waits for room when there is none. A callback waits, too, but is refused when the buffer holds
     * nothing but results that wait for callbacks, since it may be what they wait for; {@link #write} waits in line without
     * a thread.
     *
     * @throws RuntimeException {@link BatcherErrors#bufferFull} if there was no room within {@code submitTimeout}, or, at twice the bounds, a callback would wait for callbacks
     * @throws RuntimeException {@link BatcherErrors#oversize} if the item does not fit in a batch
     * @throws RuntimeException {@link BatcherErrors#closed} if the writer or the engine is closed
     * @throws RuntimeException {@link BatcherErrors#interrupted} if the thread is interrupted, before or while it waits
     * @throws IllegalStateException on a thread that must not block, also when there is room: use {@link #write} or
     *     {@link #offer} there
     * @throws RuntimeException {@link BatcherErrors#gaveUp} if the writer gave up
     */
    PendingItem<R> submit(K key, I item);

    /**
     * Submits an item if there is room.
     *
     * @throws RuntimeException {@link BatcherErrors#bufferFull} if there is no room
     * @throws RuntimeException {@link BatcherErrors#oversize} if the item does not fit in a batch
     * @throws RuntimeException {@link BatcherErrors#closed} if the writer or the engine is closed
     */
    PendingItem<R> offer(K key, I item);

    /**
     * Submits an item on subscription, waiting for room without blocking a thread and without a separate deadline. Cancelling
     * the subscription leaves the line or cancels the item like {@link PendingItem#cancel()}.
     *
     * @return the result, or the errors of {@link #submit} and of the item
     */
    Mono<R> write(K key, I item);

    /**
     * Sends what has been accepted, without lingering, and completes when all of it is terminal. Callbacks of items are not
     * waited for. Flushes with nothing accepted between them share one report. Starts on subscription.
     *
     * @return what became of the items
     */
    Mono<FlushCounts> flush();

    /**
     * Flushes like {@link #flush()} and waits for the end on this thread: also when all callback threads are busy.
     *
     * @return what became of the items
     * @throws RuntimeException {@link BatcherErrors#interrupted} if the thread is interrupted while it waits; the items go on
     * @throws IllegalStateException if it would have to wait on a thread that must not block
     */
    FlushCounts flushAndWait();

    /**
     * Refuses new items, sends what is buffered, and fails what has no outcome after {@code closeTimeout} with a
     * {@link BatcherErrors#leftover}. Every call has the same result, with a separate exception. Starts on subscription.
     *
     * @return empty when all is terminal, or {@link BatcherErrors#atClose} when items failed whose results were not taken, or the
     *     writer gave up
     */
    Mono<Void> closeAsync();

    /**
     * Closes like {@link #closeAsync()}, and signals the end on the thread that ends the writer, in place of a callback: for a close that an
     * executor which runs no callbacks must not delay.
     *
     * @return the same end
     */
    Mono<Void> closeWithoutCallbacks();

    /**
     * Closes like {@link #closeAsync()} and waits for the end. In a callback of the engine it does not wait, since the
     * callback may be what others wait for.
     *
     * @throws RuntimeException {@link BatcherErrors#atClose} if items failed whose results were not taken, or the writer gave up
     * @throws RuntimeException {@link BatcherErrors#interrupted} if the thread is interrupted while it waits; the close goes on
     * @throws IllegalStateException if it would have to wait on a thread that must not block; the close goes on
     */
    @Override
    void close();

    /**
     * Returns the failures whose results were not taken so far, and forgets them: a close no longer reports them. For a
     * writer that lives as long as its application.
     *
     * @return the failures, or empty when there are none
     */
    Optional<UncollectedItems> takeFailures();

    /**
     * Returns whether this writer is closed and everything that it had accepted is terminal.
     *
     * @return true from the end of its close on
     */
    boolean isClosed();

    /** Returns the number of items that are accepted and not terminal. */
    int bufferedItems();

    /** Returns the bytes of the items that are accepted and not terminal. */
    long bufferedBytes();

    /** Returns the numbers of all items since the writer was opened. */
    ItemCounts counts();

    /**
     * Returns the number of items that are terminal and whose callbacks have not run. They take room in the buffer like
     * those that are not terminal, so that callbacks that cannot keep up hold back those who submit.
     */
    int undeliveredItems();

    /** Returns whether it holds nothing: no item, no result that waits for its callbacks, no failure that was not taken. */
    boolean isIdle();

    /** Returns the settings. */
    BatcherSettings settings();
}
