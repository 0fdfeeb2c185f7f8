package io.stowline.transport.internal;

import io.stowline.retry.Deadline;
import io.stowline.retry.Priority;
import io.stowline.retry.RetrySettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * What a caller asked for, whatever number of requests it takes: for errors, for the retries and for the gate. For requests that an
 * SDK client makes it lies in the Reactor context of the call, see {@link SdkCalls}. Immutable.
 *
 * @param name the caller's verb
 * @param resource what it is asked of
 * @param effect what it does to the store
 * @param settings how often and how long each request is tried
 * @param manner how it takes its turn
 * @param success the statuses of its success, or {@code null} for any 2xx
 */
public record Operation(
        String name,
        String resource,
        Effect effect,
        RetrySettings settings,
        Manner manner,
        @Nullable Documented success) {

    static final String KEY = "stowline-operation";

    /**
     * An ordinary operation.
     *
     * @param name the caller's verb
     * @param resource what it is asked of
     * @param effect what it does to the store
     * @param settings how often and how long each request is tried
     * @return the operation
     */
    public static Operation of(String name, String resource, Effect effect, RetrySettings settings) {
        RetrySettings own = effect == Effect.READ ? settings.withoutReserve() : settings;
        return new Operation(name, resource, effect, own, Manner.DIRECT, null);
    }

    /**
     * What ends or prolongs earlier work, and therefore goes first.
     *
     * @return the same operation, first in line
     */
    public Operation settling() {
        return new Operation(name, resource, effect, settings, manner.settling(), success);
    }

    /**
     * What nobody waits for in person, and therefore waits for the retry quota rather than to fail.
     *
     * @return the same operation, paced
     */
    public Operation paced() {
        return new Operation(name, resource, effect, settings, manner.paced(), success);
    }

    /**
     * A read that may go to the secondary. Parts of a write are read from the primary again, whatever this says.
     *
     * @param routing how it goes, or {@code null} for to the primary only
     * @return the same operation
     * @throws IllegalArgumentException if it is no read
     */
    public Operation routed(@Nullable Routing routing) {
        if (routing != null && effect != Effect.READ) {
            throw new IllegalArgumentException(name + " is no read: it goes to the primary");
        }
        return manner.priority() == Priority.SETTLE
                ? this
                : new Operation(name, resource, effect, settings, manner.routed(routing), success);
    }

    /**
     * The reading back of a write: first in line, and within the deadline of that write, the time kept for this included.
     *
     * @param deadline the write's
     * @return the same operation as a part of the write
     */
    public Operation within(Deadline deadline) {
        return new Operation(name, resource, effect, settings.withoutReserve(), manner.within(deadline), success);
    }

    /**
     * What is done only if an answer has one of these statuses.
     *
     * @param statuses those that the service documents
     * @return the same operation
     */
    public Operation succeeding(Documented statuses) {
        return new Operation(name, resource, effect, settings, manner, statuses);
    }

    /** The same operation as a batch of a lane. */
    Operation delivered(Delivery delivery) {
        return new Operation(name, resource, effect, settings, manner.delivered(delivery), success);
    }

    /** The time of which its deadline is the end, as it is told. */
    Duration time() {
        Delivery delivery = manner.delivery();
        return delivery == null || delivery.deadline() == null ? settings.deadline() : delivery.time();
    }

    /** When it is given up. */
    Deadline deadline(Scheduler timer) {
        Deadline given = manner.deadline();
        return given != null ? given : Deadline.in(settings.deadline(), timer);
    }
}
