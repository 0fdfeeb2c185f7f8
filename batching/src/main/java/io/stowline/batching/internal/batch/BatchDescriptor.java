package io.stowline.batching.internal.batch;

import org.jspecify.annotations.Nullable;

/**
 * The facts of an item that the engine must know.
 *
 * <p>All methods are called on the submitting thread, never under the engine's lock; what they throw is thrown by the
 * submit, and the item is not accepted. They must return the same for the same item every time, and must be safe for
 * use by many threads.
 */
public interface BatchDescriptor<I> {

    /**
     * Returns what the item is about: two items of one lane with equal entities never stand in one batch, and are sent
     * in the order of their submits.
     *
     * @return the entity, with {@code equals} and {@code hashCode} by value
     */
    Object entity(I item);

    /**
     * Returns the exact number of bytes that the item takes within a batch, boundaries and headers included.
     *
     * @return the number of bytes, not negative
     */
    int size(I item);

    /**
     * Returns for how many of a batch's items it counts: more than one if it stands for several operations that are sent together.
     *
     * @return the number, at least 1 (the default) and at most the items of a batch
     */
    default int weight(I item) {
        return 1;
    }

    /**
     * Returns whether the item is written only if its entity is in a state that was seen before, for instance by an
     * ETag. Such an item fails with {@code BatcherErrors.predecessorUnknown} when it is not known whether the item before
     * it was applied.
     *
     * @return false (the default) when the item is written whatever the state
     */
    default boolean conditional(I item) {
        return false;
    }

    /**
     * Returns with what an item may share a batch: two items whose companies differ never do. Queued items of one
     * company are cut together as far as they follow each other.
     *
     * @return the company, compared by identity; null (the default) for the company of all others that have none
     */
    default @Nullable Object company(I item) {
        return null;
    }

    /**
     * Returns one item that has the effect of both, sent in their place when the writer coalesces.
     *
     * @return an item of the same entity, or null (the default) when both must be sent
     */
    default @Nullable I coalesce(I earlier, I later) {
        return null;
    }

    /**
     * Returns whether {@link #ended} is to be called for an item. The engine touches an item that needs no call no more once it is
     * sent.
     *
     * @return true (the default) when it is to be called
     */
    default boolean reportsEnd(I item) {
        return true;
    }

    /**
     * Reports that an item has its outcome, or has left the line without being accepted, before a caller learns of it and
     * before the next item of its entity is sent. What a submit or a write throws or fails with at once is not reported; an
     * item that is cancelled after its dispatch is reported twice, with the cancel and with its outcome. The only method
     * that is called under the engine's lock: it must be quick, must not throw and must not call the engine.
     *
     * @param item the item, or what it was merged into
     * @param failure why it failed, or null when it succeeded
     */
    default void ended(I item, @Nullable Throwable failure) {}
}
