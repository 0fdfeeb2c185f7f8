package io.stowline.table.internal.index;

import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.internal.codec.AnyProperties.AnyProperty;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.codec.EntityJsonWriter;
import io.stowline.table.internal.codec.PropertiesReader;
import io.stowline.table.internal.codec.PropertiesReader.RowProperties;
import io.stowline.table.internal.codec.RowReader;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table with indexes as it stands there: an entity, a copy of one, or a reference to one.
 *
 * @param partitionKey its partition
 * @param rowKey its key there
 * @param values its properties, with those that make an index row of it
 */
public record IndexedRow(String partitionKey, String rowKey, Map<String, Object> values) {

    /** Returns a row that only points to an entity. */
    public static IndexedRow reference(IndexKey key, String entity) {
        return new IndexedRow(key.partitionKey(), key.rowKey(), stated(key, entity));
    }

    /** Returns a copy of this entity. */
    public IndexedRow copy(IndexKey key) {
        Map<String, Object> copied = new HashMap<>(values);
        copied.putAll(stated(key, rowKey));
        return new IndexedRow(key.partitionKey(), key.rowKey(), copied);
    }

    private static Map<String, Object> stated(IndexKey key, String entity) {
        return Map.of(
                PropertyNames.INDEXED_ROW,
                entity,
                PropertyNames.INDEX,
                key.index().tag());
    }

    /** Returns the row with properties of another one set. */
    public IndexedRow with(IndexedRow set) {
        Map<String, Object> merged = new HashMap<>(values);
        merged.putAll(set.values);
        return new IndexedRow(partitionKey, rowKey, merged);
    }

    /** Returns the row key of the entity that it is an index row of, or {@code null}. */
    public @Nullable String indexedRow() {
        return values.get(PropertyNames.INDEXED_ROW) instanceof String entity ? entity : null;
    }

    /** Returns the index that it is a row of, with the version, or {@code null}. */
    public @Nullable String index() {
        return values.get(PropertyNames.INDEX) instanceof String tag ? tag : null;
    }

    /** Returns whether it has the same content as another one. */
    public boolean matches(IndexedRow other) {
        return values.keySet().equals(other.values.keySet())
                && values.entrySet().stream()
                        .allMatch(entry -> Objects.deepEquals(entry.getValue(), other.values.get(entry.getKey())));
    }

    /** The codec of rows as they stand in the table, with the property that makes index rows of them. */
    public static final class IndexedRowCodec implements EntityCodec<IndexedRow> {

        public static final IndexedRowCodec ROWS = new IndexedRowCodec(null);

        /** Reads no more of a row than whose it is, of which index, and how old. */
        public static final IndexedRowCodec OWNERS = new IndexedRowCodec(
                List.of("PartitionKey", "RowKey", "Timestamp", PropertyNames.INDEXED_ROW, PropertyNames.INDEX));

        private final @Nullable List<String> select;

        private IndexedRowCodec(@Nullable List<String> select) {
            this.select = select;
        }

        @Override
        public String partitionKey(IndexedRow value) {
            return value.partitionKey();
        }

        @Override
        public String rowKey(IndexedRow value) {
            return value.rowKey();
        }

        @Override
        public void writeProperties(IndexedRow row, EntityJsonWriter out) {
            row.values().forEach((name, value) -> AnyProperty.write(name, value, out));
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
        public RowReader<IndexedRow> reader() {
            return new Reader();
        }

        private static final class Reader extends PropertiesReader<IndexedRow> {
            @Override
            protected IndexedRow build(RowProperties found, @Nullable Instant rowTimestamp) {
                return new IndexedRow(found.partitionKey(), found.rowKey(), found.values());
            }
        }
    }
}
