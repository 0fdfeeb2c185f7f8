package io.stowline.table;

import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import io.stowline.projection.EdmDateTime;
import io.stowline.projection.EdmType;
import io.stowline.table.internal.EntityCodec;
import io.stowline.table.internal.EntityOut;
import io.stowline.table.internal.FieldPrefix;
import io.stowline.table.internal.JsonNumbers;
import io.stowline.table.internal.MetadataLevel;
import io.stowline.table.internal.RowReader;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The codec of entities whose properties are not known before. The service has to send their types along. */
final class EntityObjectCodec implements EntityCodec<Entity> {

    private final @Nullable List<String> select;

    EntityObjectCodec(@Nullable List<String> select) {
        this.select = select;
    }

    @Override
    public String partitionKey(Entity value) {
        return value.partitionKey();
    }

    @Override
    public String rowKey(Entity value) {
        return value.rowKey();
    }

    @Override
    public void writeProperties(Entity entity, EntityOut out) {
        entity.properties().forEach((name, value) -> write(name, value, out));
    }

    private static void write(String name, Object value, EntityOut out) {
        EdmType type = EdmType.of(value);
        if (type == null) {
            throw new IllegalArgumentException(
                    "property " + name + " cannot be written back: the service's type of it is unknown");
        }
        FieldPrefix prefix = FieldPrefix.of(name, type);
        switch (type) {
            case STRING -> out.string(prefix, (String) value);
            case BOOLEAN -> out.bool(prefix, (Boolean) value);
            case INT32 -> out.int32(prefix, (Integer) value);
            case INT64 -> out.int64(prefix, (Long) value);
            case DOUBLE -> out.doubleValue(prefix, (Double) value);
            case DATETIME -> out.dateTime(prefix, (Instant) value);
            case GUID -> out.guid(prefix, (UUID) value);
            case BINARY -> out.binary(prefix, (byte[]) value);
        }
    }

    @Override
    public @Nullable List<String> select() {
        return select;
    }

    @Override
    public MetadataLevel metadataLevel() {
        return MetadataLevel.MINIMAL;
    }

    @Override
    public RowReader<Entity> reader() {
        return new Reader();
    }

    private static final class Reader extends RowReader<Entity> {

        private final Map<String, String> types = new HashMap<>();
        private Map<String, Object> properties = new LinkedHashMap<>();
        private String partitionKey = "";
        private String rowKey = "";

        @Override
        protected void partitionKey(String key) {
            partitionKey = key;
        }

        @Override
        protected void rowKey(String key) {
            rowKey = key;
        }

        @Override
        protected void typed(String property, String type) throws IOException {
            Object early = properties.get(property);
            if (early == null) {
                types.put(property, type);
            } else {
                properties.put(property, converted(property, early.toString(), type));
            }
        }

        @Override
        protected void property(String name, JsonToken token, JsonReader json) throws IOException {
            String type = types.remove(name);
            switch (token) {
                case STRING -> properties.put(name, converted(name, json.getString(), type));
                case NUMBER ->
                    properties.put(
                            name, type == null ? number(json.getString()) : converted(name, json.getString(), type));
                case BOOLEAN -> properties.put(name, json.getBoolean());
                case NULL -> properties.remove(name);
                default ->
                    throw new IOException("property " + name + " holds " + token + ", which no property type is");
            }
        }

        private static Object number(String text) {
            if (!JsonNumbers.whole(text)) {
                return Double.parseDouble(text);
            }
            long value = Long.parseLong(text);
            return value == (int) value ? (Object) (int) value : (Object) value;
        }

        private static Object converted(String name, String text, @Nullable String wireType) throws IOException {
            EdmType type = wireType == null ? EdmType.STRING : EdmType.ofWireName(wireType);
            if (type == null) {
                return text;
            }
            try {
                return switch (type) {
                    case STRING -> text;
                    case BOOLEAN -> Boolean.valueOf(text);
                    case INT32 -> Integer.valueOf(text);
                    case INT64 -> Long.valueOf(text);
                    case DOUBLE -> Double.valueOf(text);
                    case DATETIME -> EdmDateTime.parse(text);
                    case GUID -> UUID.fromString(text);
                    case BINARY -> Base64.getDecoder().decode(text);
                };
            } catch (IllegalArgumentException e) {
                throw new IOException("property " + name + " is said to be " + wireType + " but is not one", e);
            }
        }

        @Override
        protected Entity build(@Nullable Instant rowTimestamp) {
            Entity entity = Entity.read(partitionKey, rowKey, properties, rowTimestamp);
            properties = new LinkedHashMap<>();
            types.clear();
            partitionKey = "";
            rowKey = "";
            return entity;
        }
    }
}
