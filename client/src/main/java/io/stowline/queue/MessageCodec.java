package io.stowline.queue;

import com.azure.core.util.serializer.JsonSerializer;
import com.azure.core.util.serializer.ObjectSerializer;
import io.stowline.queue.internal.body.BytesCodec;
import io.stowline.queue.internal.body.JsonCodec;
import io.stowline.queue.internal.body.TextCodec;

/**
 * A codec that encodes values as message bodies and decodes them.
 *
 * <p>The queue calls a codec on the caller's threads and on the callback threads, not on an I/O thread unless
 * {@code callbacks(Runnable::run)} was set, and by many at once: it has to be thread-safe. The library shows only the class of its
 * exceptions, never their text, because that may quote the message.
 *
 * @param <T> the type of the values
 */
public interface MessageCodec<T> {

    /**
     * Writes a body.
     *
     * @param value the value
     * @return its bytes
     * @throws RuntimeException if the value cannot be written
     */
    byte[] encode(T value);

    /**
     * Reads a body. The bytes may come from another client, in another form: then the codec has to throw, so that the queue tries the other
     * form.
     *
     * @param bytes the bytes
     * @return the value, never {@code null}
     * @throws RuntimeException if these bytes are not such a value
     */
    T decode(byte[] bytes);

    /**
     * Returns a codec for JSON, in the form that azure-core's {@code BinaryData.fromObject} gives it. Records and
     * classes are mapped by their fields, in whatever visibility; enums by name, times and durations in ISO 8601,
     * {@code byte[]} in Base64. A {@code null} is left out, and a missing property is {@code null} or zero; properties
     * that the type does not know are ignored. {@code Optional} cannot be mapped. The first value that is written is
     * read back, so that a type that can only be written is refused before anything is sent. On the module path the
     * type's package has to be open to {@code com.fasterxml.jackson.databind}.
     *
     * @param type the type of the values
     * @param <T> that type
     * @return the codec
     * @throws IllegalStateException if Jackson 2 is missing, which no other codec needs
     */
    static <T> MessageCodec<T> json(Class<T> type) {
        return JsonCodec.of(type);
    }

    /**
     * Returns a codec for JSON, or another format, by a serializer of the caller's. The first value that is written is read back, as with
     * {@link #json(Class)}. An envelope shows the body as JSON if the serializer is a {@link JsonSerializer}, else as bytes.
     *
     * @param type the type of the values
     * @param serializer the serializer, which has to be thread-safe
     * @param <T> that type
     * @return the codec
     */
    static <T> MessageCodec<T> json(Class<T> type, ObjectSerializer serializer) {
        return JsonCodec.of(type, serializer);
    }

    /**
     * Returns a codec for text in UTF-8. A text with an unpaired surrogate is refused, and so are bytes that are no UTF-8.
     *
     * @return the codec
     */
    static MessageCodec<String> text() {
        return TextCodec.INSTANCE;
    }

    /**
     * Returns a codec that keeps bytes unchanged.
     *
     * @return the codec
     */
    static MessageCodec<byte[]> bytes() {
        return BytesCodec.INSTANCE;
    }
}
