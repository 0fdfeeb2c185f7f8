package io.stowline.queue;

import io.stowline.queue.internal.Envelope;
import io.stowline.queue.internal.Lease;
import java.time.Instant;
import java.util.Optional;

/**
 * A message that was received: nobody else gets it until its lease ends at {@link #visibleAt()}. Delete it before that, or have the
 * lease prolonged by {@link MessageQueue#update(Received, java.time.Duration)}; the service may show it again a little early, so that
 * a handler has to bear being run twice.
 *
 * <p>Immutable and safe to share between threads, as far as the body is. Its text form shows neither the body nor the pop receipt.
 *
 * @param <T> the type of the body
 */
public final class Received<T> {

    private final Envelope envelope;
    private final Body<T> body;
    private final Lease lease;

    Received(Envelope envelope, Body<T> body, Lease lease) {
        this.envelope = envelope;
        this.body = body;
        this.lease = lease;
    }

    Received<T> with(Lease renewed) {
        return new Received<>(envelope, body, renewed);
    }

    Received<T> with(Body<T> rewritten, Lease renewed) {
        return new Received<>(envelope, rewritten, renewed);
    }

    Envelope envelope() {
        return envelope;
    }

    Lease lease() {
        return lease;
    }

    /**
     * The body.
     *
     * @return the value
     * @throws UndecodableMessageException if the codec cannot read it; {@link #raw()} has the text
     */
    public T body() {
        return body.value();
    }

    /**
     * Whether the codec could read the body.
     *
     * @return whether {@link #body()} gives it
     */
    public boolean isDecodable() {
        return body.failure().isEmpty();
    }

    /**
     * Why the codec could not read the body.
     *
     * @return what {@link #body()} throws, if it throws
     */
    public Optional<UndecodableMessageException> failure() {
        return body.failure();
    }

    /**
     * The text of the message as the service gave it, Base64 and all.
     *
     * @return the text
     */
    public String raw() {
        return body.raw();
    }

    /**
     * The message's id, which it keeps for life.
     *
     * @return the id
     */
    public String id() {
        return envelope.id();
    }

    /**
     * What proves that this is the latest receiver. It is a secret of its kind: who has it can delete the message.
     *
     * @return the receipt
     */
    public String popReceipt() {
        return lease.popReceipt();
    }

    /**
     * How often the message was received, this time included. A receive whose answer was lost counts too.
     *
     * @return the number, 1 at first
     */
    public long dequeueCount() {
        return envelope.dequeueCount();
    }

    /**
     * When it was put into the queue.
     *
     * @return the time, by the service's clock
     */
    public Instant insertedAt() {
        return envelope.insertedAt();
    }

    /**
     * When the service will drop it.
     *
     * @return the time, by the service's clock; the end of the year 9999 if never
     */
    public Instant expiresAt() {
        return envelope.expiresAt();
    }

    /**
     * When its lease ends and others can receive it.
     *
     * @return the time, by the service's clock
     */
    public Instant visibleAt() {
        return lease.visibleAt();
    }

    @Override
    public String toString() {
        return "Received[" + envelope.resource() + ", dequeueCount=" + dequeueCount() + ", visibleAt=" + visibleAt()
                + "]";
    }
}
