package io.stowline.queue.internal.client;

import io.stowline.error.internal.PrintableText;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import java.time.Instant;
import java.util.Objects;

/** {@link ReceivedMessage} with its decoded body and its receipt. */
final class DefaultReceivedMessage<T> extends MessageContent<T> implements ReceivedMessage<T> {

    private final LeaseReceipt lease;

    DefaultReceivedMessage(MessageHeader header, MessageBody<T> body, LeaseReceipt lease) {
        super(header, body);
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
        return with(content(), renewed);
    }

    DefaultReceivedMessage<T> with(MessageBody<T> rewritten, LeaseReceipt renewed) {
        return new DefaultReceivedMessage<>(header(), rewritten, renewed);
    }

    LeaseReceipt lease() {
        return lease;
    }

    @Override
    public String eventId() {
        MessageEnvelope own = content().envelope();
        return own == null ? id() : own.id();
    }

    @Override
    public String popReceipt() {
        return lease.popReceipt();
    }

    @Override
    public Instant visibleAt() {
        return lease.visibleAt();
    }

    @Override
    public String toString() {
        return PrintableText.of("Received[" + header().resource() + ", dequeueCount=" + dequeueCount() + ", visibleAt="
                + visibleAt() + "]");
    }
}
