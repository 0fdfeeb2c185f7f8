package io.stowline.batching;

import java.util.List;

/**
 * The items of one request, as the engine hands them to the {@link BatchSender}.
 *
 * <p>Within the limits, of one lane, never the same entity twice. Safe for use by many threads.
 *
 * @param <K> the type of a lane's key
 * @param <I> the type of an item
 */
public interface Batch<K, I> {

    /**
     * Returns the lane.
     *
     * @return the key
     */
    K key();

    /**
     * Returns the items in the order to be sent.
     *
     * @return the items, at least one; not modifiable
     */
    List<I> items();

    /**
     * Returns whether the items are one explicit transaction, which is never split.
     *
     * @return true for a group of {@link Lanes#submitAtomic}
     */
    boolean atomic();

    /**
     * Takes over the admission ticket of this batch; the caller must release it. A ticket that was not taken when the
     * batch has ended is released by the engine.
     *
     * @return the ticket
     * @throws IllegalStateException if it was taken before or the batch has ended
     */
    Admission.Ticket takeTicket();
}
