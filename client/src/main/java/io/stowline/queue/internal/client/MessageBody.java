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

/**
 * A message's body as it was received, and what the codec made of it. Immutable as far as the value is.
 *
 * @param raw the text of the message
 * @param decoded the value, or {@code null} if there is none
 * @param undecodable why there is no value, or {@code null}
 * @param envelope the envelope, if the library wrote it; or {@code null}
 */
record MessageBody<T>(
        String raw,
        @Nullable T decoded,
        @Nullable UndecodableMessageException undecodable,
        @Nullable MessageEnvelope envelope) {

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

    T value() {
        if (undecodable != null) {
            throw undecodable;
        }
        return Objects.requireNonNull(decoded);
    }

    Optional<UndecodableMessageException> failure() {
        return Optional.ofNullable(undecodable);
    }

    @Override
    public String toString() {
        return "MessageBody[" + raw.length() + " characters]";
    }
}
