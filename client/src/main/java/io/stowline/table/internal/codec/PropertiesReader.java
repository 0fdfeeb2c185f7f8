package io.stowline.table.internal.codec;

import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.json.JsonField;
import io.stowline.table.internal.json.JsonField.JsonFieldTable;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reader of rows whose properties are not known before, by the types that the service sends along. The marker of a write is none of their
 * properties.
 */
public abstract class PropertiesReader<T> extends FieldReader<T> {

    private static final JsonFieldTable FIELDS = new JsonFieldTable(name -> 0, name -> 0);

    private final AnyProperties properties;
    private String partitionKey = "";
    private String rowKey = "";

    /** Makes a reader of responses, for subclasses. */
    protected PropertiesReader() {
        this(false);
    }

    /**
     * Makes a reader.
     *
     * @param unique whether it refuses a row with a key or a property twice, which other programs may have written
     */
    PropertiesReader(boolean unique) {
        super(FIELDS, unique);
        this.properties = new AnyProperties(unique);
    }

    @Override
    public final void partitionKey(String key) {
        partitionKey = key;
    }

    @Override
    public final void rowKey(String key) {
        rowKey = key;
    }

    @Override
    public final void typed(JsonField field, String type) throws IOException {
        properties.typed(field.property(), type);
    }

    @Override
    public final void property(JsonField field, JsonCursor.JsonShape kind, JsonCursor json) throws IOException {
        properties.property(field.property(), kind, json);
    }

    @Override
    public final T build(@Nullable String rowEtag, @Nullable Instant rowTimestamp) {
        String marker = properties.marker();
        Map<String, Object> values = properties.take();
        checkIndex(values);
        RowProperties found = new RowProperties(partitionKey, rowKey, values, marker);
        partitionKey = "";
        rowKey = "";
        return build(found, rowTimestamp);
    }

    /**
     * Makes the value of a row.
     *
     * @param found what stands in it
     * @param rowTimestamp the service's time stamp, if it was sent
     */
    protected abstract T build(RowProperties found, @Nullable Instant rowTimestamp);

    /**
     * The content of a row.
     *
     * @param rowKey its key there
     * @param values its properties in their order, for the caller to keep
     * @param marker the marker of the write that it stems from, or {@code null}
     */
    public record RowProperties(
            String partitionKey,
            String rowKey,
            Map<String, Object> values,
            @Nullable String marker) {

        /** Returns whether the row has each of these properties with this value. */
        public boolean hold(RowProperties others) {
            return others.values.entrySet().stream()
                    .allMatch(entry -> Objects.deepEquals(entry.getValue(), values.get(entry.getKey())));
        }

        /** Returns whether the row has exactly these properties with these values. */
        public boolean equal(RowProperties others) {
            return values.size() == others.values.size() && hold(others);
        }
    }
}
