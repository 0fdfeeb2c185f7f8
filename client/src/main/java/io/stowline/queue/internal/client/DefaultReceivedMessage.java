package io.stowline.queue.internal.client;

import io.stowline.error.internal.PrintableText;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.UndecodableMessageException;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** {@link ReceivedMessage} with its decoded body and its receipt. */
final class DefaultReceivedMessage<T> implements ReceivedMessage<T> {

    private final MessageHeader header;
    private final MessageBody<T> body;
    private final LeaseReceipt lease;

    DefaultReceivedMessage(MessageHeader header, MessageBody<T> body, LeaseReceipt lease) {
        this.header = header;
        this.body = body;
        this.lease = lease;
    }

    static <T> DefaultReceivedMessage<T> of(ReceivedMessage<T> message) {
        if (Objects.requireNonNull(message, "message") instanceof DefaultReceivedMessage<T> ours) {
            return ours;
        }
        throw new IllegalArgumentException("the message " + message.id() + " was not received from a queue of this"
                + " library, but is a " + message.getClass().getName());
    }

    DefaultReceivedMessage<T> with(LeaseReceipt renewed) {
        return new DefaultReceivedMessage<>(header, body, renewed);
    }

    DefaultReceivedMessage<T> with(MessageBody<T> rewritten, LeaseReceipt renewed) {
        return new DefaultReceivedMessage<>(header, rewritten, renewed);
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

    @Override
    public T body() {
        return body.value();
    }

    @Override
    public boolean isDecodable() {
        return body.failure().isEmpty();
    }

    @Override
    public Optional<UndecodableMessageException> failure() {
        return body.failure();
    }

    @Override
    public String raw() {
        return body.raw();
    }

    @Override
    public String id() {
        return header.id();
    }

    @Override
    public String eventId() {
        MessageEnvelope own = body.envelope();
        return own == null ? id() : own.id();
    }

    @Override
    public String popReceipt() {
        return lease.popReceipt();
    }

    @Override
    public long dequeueCount() {
        return header.dequeueCount();
    }

    @Override
    public Instant insertedAt() {
        return header.insertedAt();
    }

    @Override
    public Instant expiresAt() {
        return header.expiresAt();
    }

    @Override
    public Instant visibleAt() {
        return lease.visibleAt();
    }

    @Override
    public String toString() {
        return PrintableText.of("Received[" + header.resource() + ", dequeueCount=" + dequeueCount() + ", visibleAt="
                + visibleAt() + "]");
    }
}
