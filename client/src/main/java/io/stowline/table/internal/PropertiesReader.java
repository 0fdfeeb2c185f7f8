package io.stowline.table.internal;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows whose properties are not known before, by the types that the service sends along. The mark of a write is none of their
 * properties.
 *
 * @param <T> what a row becomes
 */
public abstract class PropertiesReader<T> extends RowReader<T> {

    private static final FieldTable FIELDS = new FieldTable(name -> 0, name -> 0);

    private final AnyProperties properties = new AnyProperties();
    private String partitionKey = "";
    private String rowKey = "";

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
    final void typed(Field field, String type) throws IOException {
        properties.typed(field.property(), type);
    }

    @Override
    final void property(Field field, JsonCursor.Kind kind, JsonCursor json) throws IOException {
        properties.property(field.property(), kind, json);
    }

    @Override
    final T build(@Nullable String rowEtag, @Nullable Instant rowTimestamp) {
        String mark = properties.mark();
        Map<String, Object> values = properties.take();
        sayIndex(values);
        Properties found = new Properties(partitionKey, rowKey, values, mark);
        partitionKey = "";
        rowKey = "";
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
