package io.stowline.queue.internal.client;

import io.stowline.queue.UndecodableMessageException;
import io.stowline.queue.internal.MessageView.MessageHeader;
import java.time.Instant;
import java.util.Optional;

/** The content of a message, as all its forms show it: its facts by the service, and its body. */
abstract class MessageContent<T> {

    private final MessageHeader header;
    private final MessageBody<T> body;

    MessageContent(MessageHeader header, MessageBody<T> body) {
        this.header = header;
        this.body = body;
    }

    final MessageHeader header() {
        return header;
    }

    final MessageBody<T> content() {
        return body;
    }

    public final T body() {
        return body.value();
    }

    public final boolean isDecodable() {
        return body.failure().isEmpty();
    }

    public final Optional<UndecodableMessageException> failure() {
        return body.failure();
    }

    public final String raw() {
        return body.raw();
    }

    public final String id() {
        return header.id();
    }

    public final long dequeueCount() {
        return header.dequeueCount();
    }

    public final Instant insertedAt() {
        return header.insertedAt();
    }

    public final Instant expiresAt() {
        return header.expiresAt();
    }
}
