package io.stowline.queue.internal.body;

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
import com.fasterxml.jackson.datatype.jsr310.JavaTimeFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping by Jackson 2 with the JSON of azure-core's default serializer. That one logs the parser's text, and with it a part of the body,
 * and cannot read back a Duration of less than a millisecond. Months are read from numbers as Jackson 3 writes them: May is 5. No other class of the library needs Jackson.
 */
final class JacksonBinding implements JsonCodec.Binding {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule().enable(JavaTimeFeature.ONE_BASED_MONTHS))
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

    /** Describes a fault in JSON and quotes none of it: types, properties and places. */
    static String why(Throwable cause) {
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
