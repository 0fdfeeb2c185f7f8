package io.stowline.queue;

import io.stowline.transport.ReadOrigin;
import java.time.Instant;
import java.util.Optional;

/**
 * A message that was looked at and left where it was: others can receive it, and it cannot be deleted or updated by this.
 *
 * <p>Immutable and safe to share between threads, as far as the body is. Its text form does not show the body.
 *
 * @param <T> the type of the body
 */
public interface PeekedMessage<T> {

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
     * Returns how often the message was received so far.
     *
     * @return the number, 0 at first
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
     * Returns where it was seen; the primary unless {@link MessageQueue#withReadPreference} or the client's builder sets another.
     *
     * @return the place, and how old it may be
     */
    ReadOrigin origin();
}
