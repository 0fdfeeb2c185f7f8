package io.stowline.queue;

import io.stowline.queue.internal.BodyFormat;
import io.stowline.queue.internal.Decoded;
import io.stowline.queue.internal.Envelope;
import io.stowline.queue.internal.Look;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message's body as it was received, and what the codec made of it. Immutable as far as the value is. */
final class Body<T> {

    private final String raw;
    private final @Nullable T value;
    private final @Nullable UndecodableMessageException failure;

    private Body(String raw, @Nullable T value, @Nullable UndecodableMessageException failure) {
        this.raw = raw;
        this.value = value;
        this.failure = failure;
    }

    static <T> Body<T> read(Look look, BodyFormat<T> format) {
        Decoded<T> decoded = format.read(look.raw());
        String why = decoded.why();
        if (why == null) {
            return new Body<>(look.raw(), decoded.value(), null);
        }
        Envelope envelope = look.envelope();
        return new Body<>(
                look.raw(),
                null,
                new UndecodableMessageException(envelope.queue(), envelope.id(), why, decoded.cause()));
    }

    static <T> Body<T> written(String raw, T value) {
        return new Body<>(raw, value, null);
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
