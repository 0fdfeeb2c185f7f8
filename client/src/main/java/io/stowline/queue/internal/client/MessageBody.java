package io.stowline.queue.internal.client;

import io.stowline.queue.UndecodableMessageException;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.MessageView.OpenedEnvelope;
import io.stowline.queue.internal.body.BodyFormat;
import io.stowline.queue.internal.body.BodyFormat.DecodedBody;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message's body as it was received, and what the codec made of it. Immutable as far as the value is. */
final class MessageBody<T> {

    private final String raw;
    private final @Nullable T value;
    private final @Nullable UndecodableMessageException failure;
    private final @Nullable MessageEnvelope envelope;

    private MessageBody(
            String raw,
            @Nullable T value,
            @Nullable UndecodableMessageException failure,
            @Nullable MessageEnvelope envelope) {
        this.raw = raw;
        this.value = value;
        this.failure = failure;
        this.envelope = envelope;
    }

    static <T> MessageBody<T> read(MessageView view, BodyFormat<T> format) {
        DecodedBody<T> decoded = format.read(view);
        OpenedEnvelope opened = view.opened();
        MessageEnvelope own = opened != null && opened.envelope().isOwn() ? opened.envelope() : null;
        String why = decoded.why();
        if (why == null) {
            return new MessageBody<>(view.raw(), decoded.value(), null, own);
        }
        return failed(view, why, decoded.cause(), own);
    }

    static <T> MessageBody<T> undecodable(MessageView view, String why) {
        return failed(view, why, null, null);
    }

    private static <T> MessageBody<T> failed(
            MessageView view, String why, @Nullable Throwable cause, @Nullable MessageEnvelope own) {
        MessageHeader header = view.header();
        return new MessageBody<>(
                view.raw(), null, new UndecodableMessageException(header.queue(), header.id(), why, cause), own);
    }

    static <T> MessageBody<T> written(String raw, T value, @Nullable MessageEnvelope envelope) {
        return new MessageBody<>(raw, value, null, envelope);
    }

    /** Returns the envelope, if the library wrote it; or {@code null}. */
    @Nullable
    MessageEnvelope envelope() {
        return envelope;
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
