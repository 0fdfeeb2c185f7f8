package io.stowline.spring.boot.json;

import com.azure.core.util.serializer.JsonSerializer;
import com.azure.core.util.serializer.TypeReference;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A serializer of azure-core by a mapper of Jackson 3. The client shows the class of a failure only, since its text may quote a message: the
 * place in the body is logged at debug. Thread-safe.
 */
final class MapperSerializer implements JsonSerializer {

    private static final Logger LOG = LoggerFactory.getLogger(MapperSerializer.class);

    private final JsonMapper mapper;
    private final ObjectWriter writer;

    /** A class in which a mapper sees no property is refused, since its messages would be empty. */
    MapperSerializer(JsonMapper mapper) {
        this.mapper = mapper;
        this.writer = mapper.writer(SerializationFeature.FAIL_ON_EMPTY_BEANS);
    }

    @Override
    public <T> T deserializeFromBytes(byte[] data, TypeReference<T> type) {
        return placed(() -> mapper.readValue(data, mapper.constructType(type.getJavaType())));
    }

    @Override
    public <T> T deserialize(InputStream stream, TypeReference<T> type) {
        return placed(() -> mapper.readValue(stream, mapper.constructType(type.getJavaType())));
    }

    @Override
    public <T> Mono<T> deserializeAsync(InputStream stream, TypeReference<T> type) {
        return Mono.fromCallable(() -> deserialize(stream, type));
    }

    @Override
    public byte[] serializeToBytes(Object value) {
        return placed(() -> writer.writeValueAsBytes(value));
    }

    /** The stream stays open, as its owner expects. */
    @Override
    public void serialize(OutputStream stream, Object value) {
        try {
            stream.write(serializeToBytes(value));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Mono<Void> serializeAsync(OutputStream stream, Object value) {
        return Mono.fromRunnable(() -> serialize(stream, value));
    }

    private static <T> T placed(Supplier<T> work) {
        try {
            return work.get();
        } catch (JacksonException e) {
            LOG.debug("{} at '{}' of a message body", e.getClass().getSimpleName(), place(e));
            throw e;
        }
    }

    /** Names properties and indexes, and no key of a map, which is content. */
    private static String place(JacksonException error) {
        StringBuilder place = new StringBuilder();
        for (JacksonException.Reference step : error.getPath()) {
            if (step.getPropertyName() == null) {
                place.append('[').append(step.getIndex()).append(']');
            } else {
                place.append(step.from() instanceof Map<?, ?> ? "[a key]" : "." + step.getPropertyName());
            }
        }
        return place.toString();
    }
}
