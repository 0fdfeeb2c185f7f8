package io.stowline.batching.internal.writer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Factory of the exceptions that the callers of a writer get. Safe for use by many threads. */
public interface BatcherErrors {

    /** Makes the refusal of an item for which there is no room. */
    RuntimeException bufferFull(String message);

    /**
     * Makes the refusal of an item that does not fit even in a batch without others.
     *
     * @param size the bytes of a batch with this item alone
     * @param limit the most bytes of a batch
     */
    RuntimeException oversize(long size, int limit);

    /** Makes the refusal of a writer or an engine that is closed. */
    RuntimeException closed(String message);

    /** Makes the exception of a thread that was interrupted while it waited. */
    RuntimeException interrupted(String message, InterruptedException cause);

    /**
     * Makes the exception of an item that was not delivered in time.
     *
     * @param timeout the time that it had from its acceptance
     * @param last the end of its last attempt, or null
     */
    RuntimeException deliveryTimeout(String message, Duration timeout, @Nullable Throwable last);

    /**
     * Makes the exception of an item without an outcome at the deadline of a close.
     *
     * @param item the item, or the list of items of a group
     * @param sent whether it was in flight
     */
    RuntimeException leftover(Object item, boolean sent);

    /**
     * Makes the exception of an item that was not sent because an earlier one of its entity failed.
     *
     * @param entity the name of the entity
     * @param cause why the earlier item failed
     */
    RuntimeException predecessorFailed(String entity, Throwable cause);

    /**
     * Makes the exception of a conditional item behind one of unknown outcome on the same entity.
     *
     * @param name the name of the entity
     * @param cause the error of the earlier item
     */
    RuntimeException predecessorUnknown(Object entity, String name, Throwable cause);

    /**
     * Makes the exception of a writer that gives up.
     *
     * @param after how long there was no success
     * @param unsent the items that the writer had buffered and not in flight
     * @param inFlight the items in flight
     * @param failed the items that had failed before
     * @param succeeded the items that had succeeded before
     * @param last the last error that the writer saw, or null
     */
    RuntimeException gaveUp(
            Duration after, long unsent, long inFlight, long failed, long succeeded, @Nullable Throwable last);

    /**
     * Makes the exception of a close, for one caller: another caller may suppress it in a separate one.
     *
     * @param broken why the writer broke, or null
     * @param uncollected the failures whose results were not taken, or null when there are none
     * @return the exception, or null when the close succeeds
     */
    @Nullable
    RuntimeException atClose(@Nullable Throwable broken, @Nullable UncollectedItems uncollected);
}
