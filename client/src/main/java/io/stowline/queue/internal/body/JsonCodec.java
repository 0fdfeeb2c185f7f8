package io.stowline.queue.internal.body;

import com.azure.core.util.serializer.JsonSerializer;
import com.azure.core.util.serializer.ObjectSerializer;
import com.azure.core.util.serializer.TypeReference;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.internal.BodyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** JSON by the library's mapping or by a serializer of the caller's. Without Jackson 2 on the class path only the first one fails. */
public final class JsonCodec<T> implements MessageCodec<T> {

    /** The writer and reader of a value. */
    interface Binding {
        byte @Nullable [] write(Object value) throws IOException;

        <T> @Nullable T read(byte[] bytes, Class<T> type) throws IOException;
    }

    private static final boolean JACKSON = hasJackson();

    private final Class<T> type;
    private final Binding binding;
    private final boolean json;
    private volatile boolean readBack;

    private JsonCodec(Class<T> type, Binding binding, boolean json) {
        this.type = type;
        this.binding = binding;
        this.json = json;
    }

    /**
     * Returns a codec for JSON by the library's mapping.
     *
     * @param type the type of the values
     * @throws IllegalStateException if Jackson 2 is not on the class path
     */
    public static <T> JsonCodec<T> of(Class<T> type) {
        Objects.requireNonNull(type, "type");
        if (!JACKSON) {
            throw new IllegalStateException("the library maps " + type.getName()
                    + " to JSON by Jackson 2, which is missing: add com.fasterxml.jackson.core:jackson-databind and"
                    + " com.fasterxml.jackson.datatype:jackson-datatype-jsr310, or give another serializer by"
                    + " messageSerializer(..) of the client's builder or by withCodec(MessageCodec.json("
                    + type.getSimpleName() + ".class, serializer)) of a queue of text");
        }
        return new JsonCodec<>(type, new JacksonBinding(), true);
    }

    /**
     * Returns a codec of a serializer's format.
     *
     * @param type the type of the values
     * @param serializer what writes and reads them
     */
    public static <T> JsonCodec<T> of(Class<T> type, ObjectSerializer serializer) {
        Objects.requireNonNull(type, "type");
        return new JsonCodec<>(
                type,
                new SerializerBinding(Objects.requireNonNull(serializer, "serializer")),
                serializer instanceof JsonSerializer);
    }

    /** The module requires the rest of Jackson, so that one class stands for all. */
    private static boolean hasJackson() {
        try {
            Class.forName(
                    "com.fasterxml.jackson.datatype.jsr310.JavaTimeModule", false, JsonCodec.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Returns whether it writes JSON for certain: a serializer that is no {@link JsonSerializer} may write something else. */
    boolean isJson() {
        return json;
    }

    @Override
    public byte[] encode(T value) {
        byte[] bytes = written(value);
        if (!readBack) {
            read(bytes, "what was written as JSON cannot be read back as " + type.getName());
            readBack = true;
        }
        return bytes;
    }

    /** A value of another type comes by an unchecked cast; its JSON would be read as a value without properties. */
    private byte[] written(T value) {
        if (!type.isPrimitive() && !type.isInstance(value)) {
            throw new BodyException(
                    "the bodies are of type " + type.getName() + ", not "
                            + value.getClass().getName(),
                    null);
        }
        String failing = value.getClass().getName() + " cannot be written as JSON";
        byte[] bytes;
        try {
            bytes = binding.write(value);
        } catch (IOException | RuntimeException e) {
            throw fault(failing, e);
        }
        if (bytes == null) {
            throw new BodyException(failing + ": the serializer gave nothing", null);
        }
        return bytes;
    }

    @Override
    public T decode(byte[] bytes) {
        return read(bytes, "it cannot be read from JSON as " + type.getName());
    }

    private T read(byte[] bytes, String failing) {
        T value;
        try {
            value = binding.read(bytes, type);
        } catch (IOException | RuntimeException e) {
            throw fault(failing, e);
        }
        if (value == null) {
            throw new BodyException(failing + ": it is empty or null", null);
        }
        return value;
    }

    private static BodyException fault(String failing, Exception error) {
        Throwable beneath = error instanceof UncheckedIOException ? error.getCause() : null;
        Throwable cause = beneath == null ? error : beneath;
        String why = JACKSON ? JacksonBinding.why(cause) : cause.getClass().getName();
        return new BodyException(failing + ": " + why, cause);
    }

    @Override
    public String toString() {
        return "JSON of " + type.getName();
    }

    private record SerializerBinding(ObjectSerializer serializer) implements Binding {

        @Override
        public byte @Nullable [] write(Object value) {
            return serializer.serializeToBytes(value);
        }

        @Override
        public <T> @Nullable T read(byte[] bytes, Class<T> type) {
            return serializer.deserializeFromBytes(bytes, TypeReference.createInstance(type));
        }
    }
}
