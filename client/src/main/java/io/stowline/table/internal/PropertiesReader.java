package io.stowline.table.internal;

import io.stowline.outcome.Marking;
import io.stowline.projection.EdmDateTime;
import io.stowline.projection.EdmType;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows whose properties are not known before, by the types that the service sends along. The mark of a write is none of their
 * properties.
 *
 * @param <T> what a row becomes
 */
public abstract class PropertiesReader<T> extends RowReader<T> {

    private static final FieldTable FIELDS = new FieldTable(name -> 0, name -> 0);

    private final Map<String, String> types = new HashMap<>();
    private Map<String, Object> properties = new LinkedHashMap<>();
    private String partitionKey = "";
    private String rowKey = "";
    private @Nullable String mark;

    /** For subclasses. */
    protected PropertiesReader() {
        super(FIELDS);
    }

    @Override
    final void partitionKey(String key) {
        partitionKey = key;
    }

    @Override
    final void rowKey(String key) {
        rowKey = key;
    }

    @Override
    final void typed(String property, String type) throws IOException {
        Object early = properties.get(property);
        if (early == null) {
            types.put(property, type);
        } else {
            properties.put(property, converted(property, early.toString(), type));
        }
    }

    @Override
    final void property(Field field, JsonCursor.Kind kind, JsonCursor json) throws IOException {
        String name = field.property();
        if (name.equals(Marking.PROPERTY)) {
            mark = kind == JsonCursor.Kind.STRING ? json.string() : skipped(json);
            return;
        }
        String type = types.remove(name);
        switch (kind) {
            case STRING -> properties.put(name, converted(name, json.string(), type));
            case NUMBER -> properties.put(name, number(name, json.number(), type));
            case BOOLEAN -> properties.put(name, json.bool());
            case NULL -> {
                json.skip();
                properties.remove(name);
            }
            default -> throw new IOException("property " + name + " holds " + kind + ", which no property type is");
        }
    }

    private static @Nullable String skipped(JsonCursor json) throws IOException {
        json.skip();
        return null;
    }

    private static Object number(String name, JsonNumber number, @Nullable String type) throws IOException {
        if (type != null) {
            return converted(name, number.text(), type);
        }
        if (!number.whole()) {
            return number.floating();
        }
        long value = number.integer();
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
    final T build(@Nullable Instant rowTimestamp) {
        Properties found = new Properties(partitionKey, rowKey, properties, mark);
        properties = new LinkedHashMap<>();
        types.clear();
        partitionKey = "";
        rowKey = "";
        mark = null;
        return build(found, rowTimestamp);
    }

    /**
     * Makes the value of a row.
     *
     * @param found what stands in it
     * @param rowTimestamp the service's time stamp, if it was sent
     * @return the value
     */
    protected abstract T build(Properties found, @Nullable Instant rowTimestamp);
}
