package io.stowline.queue;

import io.stowline.error.internal.PrintableText;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
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
public final class ReceivedMessage<T> {

    private final MessageHeader header;
    private final MessageBody<T> body;
    private final LeaseReceipt lease;

    ReceivedMessage(MessageHeader header, MessageBody<T> body, LeaseReceipt lease) {
        this.header = header;
        this.body = body;
        this.lease = lease;
    }

    ReceivedMessage<T> with(LeaseReceipt renewed) {
        return new ReceivedMessage<>(header, body, renewed);
    }

    ReceivedMessage<T> with(MessageBody<T> rewritten, LeaseReceipt renewed) {
        return new ReceivedMessage<>(header, rewritten, renewed);
    }

    MessageHeader header() {
        return header;
    }

    MessageBody<T> content() {
        return body;
    }

    LeaseReceipt lease() {
        return lease;
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
     * Returns the id of the envelope, which all copies of one send share, or else the message's {@link #id}.
     *
     * @return the id, by which a receiver can know a copy
     */
    public String eventId() {
        MessageEnvelope own = body.envelope();
        return own == null ? id() : own.id();
    }

    /**
     * Returns what proves that this is the latest receiver. It is a secret of its kind: who has it can delete the message.
     *
     * @return the receipt
     */
    public String popReceipt() {
        return lease.popReceipt();
    }

    /**
     * Returns how often the message was received, this time included. A receive whose response was lost counts too.
     *
     * @return the number, 1 at first
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
     * Returns when its lease ends and others can receive it.
     *
     * @return the time, by the service's clock
     */
    public Instant visibleAt() {
        return lease.visibleAt();
    }

    @Override
    public String toString() {
        return PrintableText.of("Received[" + header.resource() + ", dequeueCount=" + dequeueCount() + ", visibleAt="
                + visibleAt() + "]");
    }
}
