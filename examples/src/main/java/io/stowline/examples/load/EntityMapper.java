package io.stowline.examples.load;

import io.stowline.table.Entity;
import io.stowline.transport.StorageLimits;
import java.time.format.DateTimeParseException;
import java.util.Map;

/**
 * A mapper that makes the entity of a row, or reports why it cannot be one.
 *
 * @param partitionKey the template of partition keys
 * @param rowKey the template of row keys
 * @param schema the columns
 */
record EntityMapper(KeyTemplate partitionKey, KeyTemplate rowKey, LoadSchema schema) {

    // What the service counts for each property beside its name and value, and for an entity beside its keys.
    private static final int PROPERTY_OVERHEAD = 8;
    private static final int ENTITY_OVERHEAD = 4;
    private static final int MAX_FIXED = 16;

    Entity entity(InputRow row) throws RowRefusedException {
        if (row.problem() != null) {
            throw new RowRefusedException(row.problem());
        }
        String partition = partitionKey.key(row.values());
        String key = rowKey.key(row.values());
        long size = ENTITY_OVERHEAD + 2L * (partition.length() + key.length());
        Entity.Builder entity = Entity.builder(partition, key);
        for (Map.Entry<String, Object> value : row.values().entrySet()) {
            size += set(entity, value.getKey(), value.getValue());
        }
        if (size > StorageLimits.ENTITY_MAX_BYTES) {
            throw new RowRefusedException(
                    "about " + size + " bytes as an entity; the limit is " + StorageLimits.ENTITY_MAX_BYTES);
        }
        return built(entity);
    }

    /** Sets a property, and returns about how many bytes the service counts for it. */
    private long set(Entity.Builder entity, String name, Object value) throws RowRefusedException {
        LoadSchema.Column column = schema.column(name, value);
        String text = value.toString();
        if (text.isEmpty() || column.type() == ColumnType.NONE) {
            return 0;
        }
        if (column.type() == ColumnType.STRING && text.length() > StorageLimits.STRING_MAX_CHARS) {
            throw new RowRefusedException(
                    name + ": " + text.length() + " characters; the limit is " + StorageLimits.STRING_MAX_CHARS);
        }
        try {
            entity.set(column.property(), column.type().convert(text));
        } catch (DateTimeParseException | IllegalArgumentException e) {
            throw new RowRefusedException(name + ": no " + column.type().label()
                    + (column.given()
                            ? ""
                            : ", as the first " + SchemaInference.SAMPLE + " rows have; --types '" + name
                                    + ":string' takes it as text"));
        }
        return PROPERTY_OVERHEAD
                + 2L * column.property().length()
                + (column.type() == ColumnType.STRING ? 4 + 2L * text.length() : MAX_FIXED);
    }

    private static Entity built(Entity.Builder entity) throws RowRefusedException {
        try {
            return entity.build();
        } catch (IllegalArgumentException e) {
            throw new RowRefusedException(String.valueOf(e.getMessage()));
        }
    }
}
