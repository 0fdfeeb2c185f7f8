package io.stowline.queue;

import io.stowline.error.internal.PrintableText;
import io.stowline.queue.internal.MessageView.MessageHeader;
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
public final class PeekedMessage<T> {

    private final MessageHeader header;
    private final MessageBody<T> body;
    private final ReadOrigin origin;

    PeekedMessage(MessageHeader header, MessageBody<T> body, ReadOrigin origin) {
        this.header = header;
        this.body = body;
        this.origin = origin;
    }

    /**
     * Returns the body.
     *
     * @return the value
     * @throws UndecodableMessageException if the codec cannot read it; {@link #raw()} has the text
     */
    public T body() {
        return body.value();
    }

    /**
     * Returns whether the codec could read the body.
     *
     * @return whether {@link #body()} gives it
     */
    public boolean isDecodable() {
        return body.failure().isEmpty();
    }

    /**
     * Returns why the codec could not read the body.
     *
     * @return what {@link #body()} throws, if it throws
     */
    public Optional<UndecodableMessageException> failure() {
        return body.failure();
    }

    /**
     * Returns the text of the message as the service gave it, Base64 and all.
     *
     * @return the text
     */
    public String raw() {
        return body.raw();
    }

    /**
     * Returns the message's id, which it keeps for life.
     *
     * @return the id
     */
    public String id() {
        return header.id();
    }

    /**
     * Returns how often the message was received so far.
     *
     * @return the number, 0 at first
     */
    public long dequeueCount() {
        return header.dequeueCount();
    }

    /**
     * Returns when it was put into the queue.
     *
     * @return the time, by the service's clock
     */
    public Instant insertedAt() {
        return header.insertedAt();
    }

    /**
     * Returns when the service will drop it.
     *
     * @return the time, by the service's clock; the end of the year 9999 if never
     */
    public Instant expiresAt() {
        return header.expiresAt();
    }

    /**
     * Returns where it was seen; the primary unless {@link MessageQueue#withReadPreference} or the client's builder says otherwise.
     *
     * @return the place, and how old it may be
     */
    public ReadOrigin origin() {
        return origin;
    }

    @Override
    public String toString() {
        return PrintableText.of("Peeked[" + header.resource() + ", dequeueCount=" + dequeueCount() + "]");
    }
}
