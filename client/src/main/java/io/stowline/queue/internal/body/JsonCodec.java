package io.stowline.queue.internal.body;

import com.azure.core.util.serializer.ObjectSerializer;
import com.azure.core.util.serializer.TypeReference;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.internal.BodyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** JSON by a mapping of our own or by a serializer of the caller's. */
public final class JsonCodec<T> implements MessageCodec<T> {

    /** The writer and reader of a value. */
    private interface Binding {
        byte @Nullable [] write(Object value) throws IOException;

        <T> @Nullable T read(byte[] bytes, Class<T> type) throws IOException;
    }

    private final Class<T> type;
    private final Binding binding;
    private volatile boolean readBack;

    private JsonCodec(Class<T> type, Binding binding) {
        this.type = Objects.requireNonNull(type, "type");
        this.binding = binding;
    }

    /**
     * Returns a codec for JSON by the library's mapping.
     *
     * @param type the type of the values
     */
    public static <T> JsonCodec<T> of(Class<T> type) {
        return new JsonCodec<>(type, new Mapping());
    }

    /**
     * Returns a codec of a serializer's format.
     *
     * @param type the type of the values
     * @param serializer what writes and reads them
     */
    public static <T> JsonCodec<T> of(Class<T> type, ObjectSerializer serializer) {
        return new JsonCodec<>(type, new Foreign(Objects.requireNonNull(serializer, "serializer")));
    }

    /** Returns whether it writes JSON for certain: a serializer of the caller's may write something else. */
    boolean isJson() {
        return binding instanceof Mapping;
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

    private byte[] written(T value) {
        String failing = value.getClass().getName() + " cannot be written as JSON";
        byte[] bytes;
        try {
            bytes = binding.write(value);
        } catch (IOException | RuntimeException e) {
            throw JsonFault.of(failing, e);
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
            throw JsonFault.of(failing, e);
        }
        if (value == null) {
            throw new BodyException(failing + ": it is empty or null", null);
        }
        return value;
    }

    @Override
    public String toString() {
        return "JSON of " + type.getName();
    }

    /**
     * A mapping with the JSON of azure-core's default serializer. That one logs the parser's text, and with it a part
     * of the body, and cannot read back a Duration of less than a millisecond.
     */
    private static final class Mapping implements Binding {

        private static final JsonMapper MAPPER = JsonMapper.builder()
                .addModule(new JavaTimeModule())
                .visibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE)
                .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
                .visibility(PropertyAccessor.CREATOR, JsonAutoDetect.Visibility.DEFAULT)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
                .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS,
                        SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .build();

        @Override
        public byte[] write(Object value) throws IOException {
            return MAPPER.writeValueAsBytes(value);
        }

        @Override
        public <T> @Nullable T read(byte[] bytes, Class<T> type) throws IOException {
            return MAPPER.readValue(bytes, type);
        }
    }

    private record Foreign(ObjectSerializer serializer) implements Binding {

        @Override
        public byte @Nullable [] write(Object value) {
            return serializer.serializeToBytes(value);
        }

        @Override
        public <T> @Nullable T read(byte[] bytes, Class<T> type) {
            return serializer.deserializeFromBytes(bytes, TypeReference.createInstance(type));
        }
    }

    /** A description of a fault in JSON that quotes none of it: types, properties and places. */
    private static final class JsonFault {

        private JsonFault() {}

        static BodyException of(String failing, Exception error) {
            Throwable beneath = error instanceof UncheckedIOException ? error.getCause() : null;
            Throwable cause = beneath == null ? error : beneath;
            return new BodyException(failing + ": " + why(cause), cause);
        }

        private static String why(Throwable cause) {
            if (cause instanceof InvalidDefinitionException unmapped && unmapped.getType() != null) {
                return "there is no mapping for " + unmapped.getType().toCanonical() + path(unmapped);
            }
            if (cause instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
                return "the value does not fit " + mismatch.getTargetType().getTypeName() + path(mismatch);
            }
            if (cause instanceof JsonMappingException mapping) {
                return mapping.getClass().getSimpleName() + path(mapping);
            }
            if (cause instanceof JsonProcessingException broken) {
                return broken.getClass().getSimpleName() + place(broken.getLocation());
            }
            return cause.getClass().getName();
        }

        private static String place(JsonLocation where) {
            return where == null ? "" : " at line " + where.getLineNr() + ", column " + where.getColumnNr();
        }

        private static String path(JsonMappingException error) {
            StringBuilder path = new StringBuilder();
            for (JsonMappingException.Reference step : error.getPath()) {
                if (step.getFieldName() == null) {
                    path.append('[').append(step.getIndex()).append(']');
                } else if (step.getFrom() instanceof Map<?, ?>) {
                    // Its keys are content.
                    path.append("[a key]");
                } else {
                    path.append('.').append(step.getFieldName());
                }
            }
            return path.isEmpty() ? "" : " at " + (path.charAt(0) == '.' ? path.substring(1) : path);
        }
    }
}
