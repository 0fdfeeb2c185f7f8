package io.stowline.projection.internal.scan;

import io.stowline.projection.EntityType;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.write.PropertyWriter;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Keeps what a record writes, and plays it to a reader the way it would come back in JSON. */
public final class RecordedProperties implements PropertyWriter {

    public final Map<Integer, Object> values = new LinkedHashMap<>();
    public final Map<String, Object> others = new LinkedHashMap<>();

    public static <T> RecordedProperties of(T value, Class<T> type) {
        return of(value, EntityType.of(type));
    }

    public static <T> RecordedProperties of(T value, EntityType<T> type) {
        RecordedProperties properties = new RecordedProperties();
        type.write(value, properties);
        return properties;
    }

    public static <T> Map<String, Object> named(T value, Class<T> type) {
        return named(value, EntityType.of(type));
    }

    public static <T> Map<String, Object> named(T value, EntityType<T> type) {
        Map<String, Object> named = new LinkedHashMap<>();
        of(value, type)
                .values
                .forEach((index, stored) ->
                        named.put(type.properties().get(index).name(), stored));
        return named;
    }

    public void playTo(EntityReader<?> reader) {
        values.forEach((index, value) -> play(reader, index, value));
        reader.others(new LinkedHashMap<>(others));
    }

    private static void play(EntityReader<?> reader, int index, Object value) {
        if (value instanceof String || value instanceof Long || value instanceof UUID) {
            reader.text(index, value.toString());
        } else if (value instanceof Integer number) {
            reader.integer(index, number);
        } else if (value instanceof Boolean bool) {
            reader.bool(index, bool);
        } else if (value instanceof Instant time) {
            reader.text(index, EdmDateTime.format(time));
        } else if (value instanceof byte[] bytes) {
            reader.text(index, Base64.getEncoder().encodeToString(bytes));
        } else {
            playDouble(reader, index, (Double) value);
        }
    }

    private static void playDouble(EntityReader<?> reader, int index, double value) {
        if (Double.isFinite(value)) {
            reader.floating(index, value);
        } else {
            reader.text(index, Double.toString(value));
        }
    }

    @Override
    public void string(int index, String value) {
        values.put(index, value);
    }

    @Override
    public void bool(int index, boolean value) {
        values.put(index, value);
    }

    @Override
    public void int32(int index, int value) {
        values.put(index, value);
    }

    @Override
    public void int64(int index, long value) {
        values.put(index, value);
    }

    @Override
    public void doubleValue(int index, double value) {
        values.put(index, value);
    }

    @Override
    public void dateTime(int index, Instant value) {
        values.put(index, value);
    }

    @Override
    public void guid(int index, UUID value) {
        values.put(index, value);
    }

    @Override
    public void binary(int index, byte[] value) {
        values.put(index, value);
    }

    @Override
    public void other(String name, Object value) {
        others.put(name, value);
    }
}
