package io.stowline.queue;

import java.time.Instant;
import java.util.Optional;

/**
 * A received message, hidden from other clients until its lease ends at {@link #visibleAt()}. Delete it before that, or have the lease
 * prolonged by {@link MessageQueue#update(ReceivedMessage, java.time.Duration)}; the service may show it again a little early, so that a
 * handler has to bear being run twice.
 *
 * <p>Immutable and safe to share between threads, as far as the body is. Its text form shows neither the body nor the pop receipt.
 *
 * @param <T> the type of the body
 */
public interface ReceivedMessage<T> {

    /**
     * Returns the body.
     *
     * @return the value
     * @throws UndecodableMessageException if the codec cannot read it; {@link #raw()} has the text
     */
    T body();

    /**
     * Returns whether the codec could read the body.
     *
     * @return whether {@link #body()} gives it
     */
    boolean isDecodable();

    /**
     * Returns why the codec could not read the body.
     *
     * @return what {@link #body()} throws, if it throws
     */
    Optional<UndecodableMessageException> failure();

    /**
     * Returns the text of the message as the service gave it, Base64 and all.
     *
     * @return the text
     */
    String raw();

    /**
     * Returns the message's id, which it keeps for life.
     *
     * @return the id
     */
    String id();

    /**
     * Returns the id of the envelope, which all copies of one send share, or else the message's {@link #id}.
     *
     * @return the id, by which a receiver can know a copy
     */
    String eventId();

    /**
     * Returns what proves that this is the latest receiver. It is a secret of its kind: who has it can delete the message.
     *
     * @return the receipt
     */
    String popReceipt();

    /**
     * Returns how often the message was received, this time included. A receive whose response was lost counts too.
     *
     * @return the number, 1 at first
     */
    long dequeueCount();

    /**
     * Returns when it was put into the queue.
     *
     * @return the time, by the service's clock
     */
    Instant insertedAt();

    /**
     * Returns when the service will drop it.
     *
     * @return the time, by the service's clock; the end of the year 9999 if never
     */
    Instant expiresAt();

    /**
     * Returns when its lease ends and others can receive it.
     *
     * @return the time, by the service's clock
     */
    Instant visibleAt();
}
