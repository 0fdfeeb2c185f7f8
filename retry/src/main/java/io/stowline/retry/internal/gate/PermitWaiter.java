package io.stowline.retry.internal.gate;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Request at a {@link Gate} that waits for its permit, equal to itself only. */
final class PermitWaiter {

    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);

    private static final ThreadLocal<Queue<PermitWaiter>> IN_DELIVERY = new ThreadLocal<>();

    private final Consumer<Permit> granted;
    private @Nullable Permit permit;
    private @Nullable PermitWaiter next;

    PermitWaiter(Consumer<Permit> granted) {
        this.granted = granted;
    }

    /** Assigns the permit, under the gate's lock, after the gate has counted it. */
    void grant(Permit given) {
        permit = given;
    }

    /**
     * Links the waiter that was granted a permit after this one at the same moment. Called under the gate's lock.
     */
    void followedBy(PermitWaiter later) {
        next = later;
    }

    /**
     * Hands the granted permits of this waiter and of those behind it over, outside the lock, one after the other on each thread. Otherwise
     * a receiver that releases its permit at once would hand over the next one deeper on the stack, and so on for the whole line.
     */
    void deliverAll() {
        Queue<PermitWaiter> inDelivery = IN_DELIVERY.get();
        if (inDelivery != null) {
            addTo(inDelivery);
            return;
        }
        Queue<PermitWaiter> queue = new ArrayDeque<>();
        addTo(queue);
        IN_DELIVERY.set(queue);
        try {
            for (PermitWaiter first = queue.poll(); first != null; first = queue.poll()) {
                first.deliver();
            }
        } finally {
            IN_DELIVERY.remove();
        }
    }

    private void addTo(Queue<PermitWaiter> queue) {
        for (@Nullable PermitWaiter each = this; each != null; each = each.next) {
            queue.add(each);
        }
    }

    /** Hands the granted permit over, once, outside the lock. */
    void deliver() {
        Permit given = Objects.requireNonNull(permit, "not granted");
        try {
            granted.accept(given);
        } catch (Throwable thrown) {
            given.release();
            LOG.error("the receiver of a permit failed, the permit was given back", thrown);
        }
    }
}
