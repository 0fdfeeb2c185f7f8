package io.stowline.queue.internal;

import org.jspecify.annotations.Nullable;

/**
 * What a codec made of a body: a value, or the reason why there is none.
 *
 * @param value the value
 * @param why the reason, without any part of the body
 * @param cause what lies beneath it, without any part of the body
 * @param <T> the type of the value
 */
public record Decoded<T>(
        @Nullable T value, @Nullable String why, @Nullable Throwable cause) {

    static <T> Decoded<T> of(T value) {
        return new Decoded<>(value, null, null);
    }

    static <T> Decoded<T> failed(String why, @Nullable Throwable cause) {
        return new Decoded<>(null, why, cause);
    }

    boolean failed() {
        return why != null;
    }
}
