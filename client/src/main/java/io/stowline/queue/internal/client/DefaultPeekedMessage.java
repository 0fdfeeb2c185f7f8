package io.stowline.queue.internal.client;

import io.stowline.error.internal.PrintableText;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.UndecodableMessageException;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.transport.ReadOrigin;
import java.time.Instant;
import java.util.Optional;

/** {@link PeekedMessage} with its decoded body. */
final class DefaultPeekedMessage<T> implements PeekedMessage<T> {

    private final MessageHeader header;
    private final MessageBody<T> body;
    private final ReadOrigin origin;

    DefaultPeekedMessage(MessageHeader header, MessageBody<T> body, ReadOrigin origin) {
        this.header = header;
        this.body = body;
        this.origin = origin;
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
    public ReadOrigin origin() {
        return origin;
    }

    @Override
    public String toString() {
        return PrintableText.of("Peeked[" + header.resource() + ", dequeueCount=" + dequeueCount() + "]");
    }
}
