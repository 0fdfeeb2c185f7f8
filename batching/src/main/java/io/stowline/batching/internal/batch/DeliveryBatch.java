package io.stowline.batching.internal.batch;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * The items of one request, as the engine hands them to the {@link BatchSender}.
 *
 * <p>Within the limits, of one lane, never the same entity twice. Safe for use by many threads.
 */
public interface DeliveryBatch<K, I> {

    /** Returns the lane. */
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
     * @return true for a group that was submitted as one
     */
    boolean atomic();

    /**
     * Takes over the admission permit of this batch; the caller must release it. A permit that was not taken when the
     * batch has ended is released by the engine.
     *
     * @param type the type of the permits of the {@link Admission}
     * @return the permit, or null if it was taken before or the batch has ended
     * @throws ClassCastException if the permit is of another type; it is not taken
     */
    <P extends Disposable> @Nullable P takePermit(Class<P> type);

    /**
     * Returns how much time is left until the first of the items must have its end. For an item that is not sent again
     * by then, {@link BatchReply.Late} is the best reply.
     *
     * @return the time, zero when it is over; null when there is no such time
     */
    default @Nullable Duration timeLeft() {
        return null;
    }

    /**
     * Returns the whole time of which {@link #timeLeft} is the rest.
     *
     * @return the time from the acceptance of that item; null when there is no such time
     */
    default @Nullable Duration deliveryTimeout() {
        return null;
    }

    /**
     * Returns whether any of the items still wants an attempt. None does when all have had their end, since a close did not wait longer or
     * the caller of an explicit group has gone. What a writer gave up when it broke wants the attempt that is due, which may still succeed,
     * and none after it.
     *
     * @param due true for the attempt that is due now, false for one that would follow a failure
     */
    default boolean wantsAttempt(boolean due) {
        return true;
    }

    /**
     * Takes this batch off the wire, because the sender waits for something else. The batch then
     * does not count against the batches in flight; its lane still sends nothing
     * else. A batch counts from its dispatch on. Idempotent.
     */
    default void leaveWire() {}

    /**
     * Puts this batch on the wire, so that it counts again. It is not made to wait for others: what
     * the batches on the wire may be at most besides is up to the {@link Admission}.
     */
    default void enterWire() {}

    /**
     * Marks this batch as slow: its request has had no response for long. The batch leaves the wire, and as long as it does not enter it again or
     * end, lanes whose last batch had a response go before the others.
     */
    default void fallSilent() {}
}
