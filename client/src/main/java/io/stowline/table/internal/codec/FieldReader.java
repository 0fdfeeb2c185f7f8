package io.stowline.table.internal.codec;

import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.json.JsonField;
import io.stowline.table.internal.json.JsonField.JsonFieldTable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the fields of rows from JSON (decision 34). What every row has (keys, time stamp, ETag) is read here; a subclass takes the properties and makes the
 * value. For one thread.
 */
public abstract class FieldReader<T> implements RowReader<T> {

    /** Longer than any type's name, so that longer texts are not kept. */
    private static final int MAX_TYPE = 64;

    private final JsonFieldTable fields;
    private final boolean unique;
    private String lastPartition = "";
    private @Nullable String etag;
    private @Nullable Instant timestamp;
    private @Nullable String indexedRow;
    private @Nullable String index;
    private boolean entities;
    private boolean withoutMessages;
    private boolean requestsPartition;
    private boolean requestsRow;
    private boolean hasPartition;
    private boolean hasRow;

    public FieldReader(JsonFieldTable fields) {
        this(fields, false);
    }

    /**
     * Makes a reader.
     *
     * @param unique whether it refuses a row with a key twice
     */
    FieldReader(JsonFieldTable fields, boolean unique) {
        this.fields = fields;
        this.unique = unique;
    }

    @Override
    public final RowReader<T> ofEntities() {
        entities = true;
        return this;
    }

    @Override
    public final RowReader<T> withoutMessages() {
        withoutMessages = true;
        return this;
    }

    /** Lets a row that is read as it stands reveal that it is an index row, and of what. */
    final void checkIndex(Map<String, Object> properties) {
        if (!entities && indexedRow != null) {
            properties.put(PropertyNames.INDEXED_ROW, indexedRow);
        }
        if (!entities && index != null) {
            properties.put(PropertyNames.INDEX, index);
        }
    }

    @Override
    public final RowReader<T> requested(@Nullable List<String> select) {
        requestsPartition = select == null || select.contains("PartitionKey");
        requestsRow = select == null || select.contains("RowKey");
        return this;
    }

    @Override
    public final DecodedRow<T> read(JsonCursor json) throws IOException {
        return read(json, null);
    }

    @Override
    public final DecodedRow<T> read(JsonCursor json, @Nullable String header) throws IOException {
        collect(json);
        if (header != null) {
            etag = header;
        }
        return new DecodedRow<>(build(ownEtag(), timestamp), etag, timestamp);
    }

    @Override
    public final T value(JsonCursor json) throws IOException {
        collect(json);
        return build(ownEtag(), timestamp);
    }

    /** An index row's ETag is not that of its entity. */
    private @Nullable String ownEtag() {
        return entities && indexedRow != null ? null : etag;
    }

    private void collect(JsonCursor json) throws IOException {
        etag = null;
        timestamp = null;
        indexedRow = null;
        index = null;
        hasPartition = false;
        hasRow = false;
        JsonField field = fields.start();
        for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
            field = fields.after(field, json);
            read(field, json);
        }
        if ((requestsPartition && !hasPartition) || (requestsRow && !hasRow)) {
            throw new MissingKeyException(requestsPartition && !hasPartition ? "PartitionKey" : "RowKey");
        }
        if (entities && indexedRow != null) {
            rowKey(indexedRow);
        }
    }

    private void read(JsonField field, JsonCursor json) throws IOException {
        switch (field.role()) {
            case PROPERTY -> property(field, json.kind(), json);
            case TYPE -> type(field, json);
            case PARTITION_KEY -> partition(json);
            case ROW_KEY -> row(json);
            case ETAG -> etag = json.scalar();
            case INDEXED_ROW -> indexedRow = json.scalar();
            case INDEX -> index = json.scalar();
            case TIMESTAMP -> timestamp = time(json);
            case NOTHING -> json.skip();
        }
    }

    private void partition(JsonCursor json) throws IOException {
        String key = json.kind() == JsonCursor.JsonShape.STRING ? json.again(lastPartition) : json.scalar();
        if (key != null) {
            refuse(hasPartition, "PartitionKey");
            lastPartition = key;
            hasPartition = true;
            partitionKey(key);
        } else {
            refuseEmpty("PartitionKey");
        }
    }

    private void row(JsonCursor json) throws IOException {
        String key = json.scalar();
        if (key != null) {
            refuse(hasRow, "RowKey");
            if (withoutMessages && OutboxKey.isOf(key)) {
                throw new WaitingMessageException();
            }
            hasRow = true;
            rowKey(key);
        } else {
            refuseEmpty("RowKey");
        }
    }

    private void refuse(boolean again, String key) throws IOException {
        if (unique && again) {
            throw new IOException("the row has a " + key + " twice");
        }
    }

    private void refuseEmpty(String key) throws IOException {
        if (unique) {
            throw new IOException("the row has a " + key + " that is no text");
        }
    }

    private void type(JsonField field, JsonCursor json) throws IOException {
        String likely = field.likely();
        String type = json.kind() == JsonCursor.JsonShape.STRING ? json.again(likely) : json.scalar();
        if (type != null) {
            if (type.length() <= MAX_TYPE) {
                field.likely(type);
            }
            typed(field, type);
        }
    }

    private static @Nullable Instant time(JsonCursor json) throws IOException {
        if (json.kind() != JsonCursor.JsonShape.STRING) {
            json.skip();
            return null;
        }
        try {
            return EdmDateTime.parse(json.string());
        } catch (IllegalArgumentException e) {
            throw new IOException("the Timestamp is no time: " + e.getMessage(), e);
        }
    }

    /** Takes the partition key. */
    public abstract void partitionKey(String key);

    /** Takes the row key. */
    public abstract void rowKey(String key);

    /**
     * Takes the service's word for a property's type, such as {@code Edm.Int64}, where the table of fields needs types. As a rule it
     * comes before the property. Throws if a value that came before does not fit the type.
     */
    public abstract void typed(JsonField field, String type) throws IOException;

    /** Takes a property: passes over its value, which is of that kind. */
    public abstract void property(JsonField field, JsonCursor.JsonShape kind, JsonCursor json) throws IOException;

    /** Makes the value of what was taken, and forgets it. */
    public abstract T build(@Nullable String rowEtag, @Nullable Instant rowTimestamp);
}
