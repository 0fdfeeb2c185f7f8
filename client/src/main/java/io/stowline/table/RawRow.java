package io.stowline.table;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table with indexes as it stands there: an entity, a copy of one, or a reference to one.
 *
 * @param partitionKey its partition
 * @param rowKey its key there
 * @param values its properties
 * @param indexedRow the row key of the entity that it is an index row of, or {@code null}
 */
record RawRow(
        String partitionKey,
        String rowKey,
        Map<String, Object> values,
        @Nullable String indexedRow) {

    /** A row that only points to an entity. */
    static RawRow reference(IndexKey key, String entity) {
        return new RawRow(key.partitionKey(), key.rowKey(), Map.of(), entity);
    }

    /** A copy of this entity. */
    RawRow copy(IndexKey key) {
        return new RawRow(key.partitionKey(), key.rowKey(), values, rowKey);
    }

    /** Whether it has the same content as another one. */
    boolean matches(RawRow other) {
        return Objects.equals(indexedRow, other.indexedRow)
                && values.keySet().equals(other.values.keySet())
                && values.entrySet().stream()
                        .allMatch(entry -> Objects.deepEquals(entry.getValue(), other.values.get(entry.getKey())));
    }
}
