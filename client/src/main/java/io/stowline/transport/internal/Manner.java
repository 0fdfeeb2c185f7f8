package io.stowline.transport.internal;

import io.stowline.retry.Deadline;
import io.stowline.retry.EmptyQuota;
import io.stowline.retry.Priority;
import org.jspecify.annotations.Nullable;

/**
 * How an operation takes its turn among others. Immutable.
 *
 * @param priority its class at the gate
 * @param whenEmpty what becomes of it when the retry quota is empty
 * @param deadline the deadline of the operation that it is a part of, or {@code null} if it has its own
 * @param routing how it goes between the primary and the secondary, or {@code null} for to the primary only
 * @param delivery how it goes out as a batch of a lane, or {@code null} if it is none
 */
record Manner(
        Priority priority,
        EmptyQuota whenEmpty,
        @Nullable Deadline deadline,
        @Nullable Routing routing,
        @Nullable Delivery delivery) {

    /** A direct call of one request. */
    static final Manner DIRECT = new Manner(Priority.NORMAL, EmptyQuota.REFUSE, null, null, null);

    /** What was written stands at the primary. */
    Manner settling() {
        return new Manner(Priority.SETTLE, EmptyQuota.PACE, deadline, null, null);
    }

    Manner within(Deadline given) {
        return new Manner(Priority.SETTLE, EmptyQuota.PACE, given, null, null);
    }

    Manner paced() {
        return new Manner(priority, EmptyQuota.PACE, deadline, routing, delivery);
    }

    Manner routed(@Nullable Routing way) {
        return new Manner(priority, whenEmpty, deadline, way, delivery);
    }

    /** Nobody waits for a batch in person. */
    Manner delivered(Delivery way) {
        Deadline given = way.deadline();
        return new Manner(priority, EmptyQuota.PACE, given == null ? deadline : given, routing, way);
    }

    boolean untilDeadline() {
        return delivery != null && delivery.untilDeadline();
    }
}
