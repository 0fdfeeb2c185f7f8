package io.stowline.queue;

import io.stowline.queue.internal.BodyFormat;
import io.stowline.queue.internal.BodyFormat.DecodedBody;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.MessageHeader;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message's body as it was received, and what the codec made of it. Immutable as far as the value is. */
final class MessageBody<T> {

    private final String raw;
    private final @Nullable T value;
    private final @Nullable UndecodableMessageException failure;

    private MessageBody(String raw, @Nullable T value, @Nullable UndecodableMessageException failure) {
        this.raw = raw;
        this.value = value;
        this.failure = failure;
    }

    static <T> MessageBody<T> read(MessageView look, BodyFormat<T> format) {
        DecodedBody<T> decoded = format.read(look.raw());
        String why = decoded.why();
        if (why == null) {
            return new MessageBody<>(look.raw(), decoded.value(), null);
        }
        MessageHeader envelope = look.envelope();
        return new MessageBody<>(
                look.raw(),
                null,
                new UndecodableMessageException(envelope.queue(), envelope.id(), why, decoded.cause()));
    }

    static <T> MessageBody<T> written(String raw, T value) {
        return new MessageBody<>(raw, value, null);
    }

    String raw() {
        return raw;
    }

    T value() {
        if (failure != null) {
            throw failure;
        }
        return Objects.requireNonNull(value);
    }

    Optional<UndecodableMessageException> failure() {
        return Optional.ofNullable(failure);
    }
}
