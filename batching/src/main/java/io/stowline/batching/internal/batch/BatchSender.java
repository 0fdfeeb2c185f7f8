package io.stowline.batching.internal.batch;

import reactor.core.publisher.Mono;

/**
 * The sender of batches.
 *
 * <p>Called outside the engine's lock, on the thread that made the batch possible: a submitting thread, one that ended
 * the batch before, or a timer; it must not block. What it throws, an error of its {@code Mono} and an empty {@code
 * Mono} fail the items of the batch and nothing else; they reserve no entity, so that a sender which lost a response
 * must reply, {@linkplain BatchReply#reservedFor reserving} until what it sent can no longer be applied. Must be safe for use by
 * many threads.
 */
@FunctionalInterface
public interface BatchSender<K, I, R> {

    /**
     * Sends a batch. The lane sends nothing else until the returned {@code Mono} ends; whatever bounds that time, such
     * as retries and timeouts, is the sender's.
     */
    Mono<BatchReply<R>> send(DeliveryBatch<K, I> batch);
}
