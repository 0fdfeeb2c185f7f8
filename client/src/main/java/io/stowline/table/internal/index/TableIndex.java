package io.stowline.table.internal.index;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.projection.key.KeyFormat;
import io.stowline.projection.key.KeyValues;
import io.stowline.table.EntityKey;
import io.stowline.table.Index;
import io.stowline.table.internal.query.QueryPlan;
import io.stowline.transport.internal.concurrent.UserCode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * One index of a table: what its values are, and where the rows of a value stand. Values are escaped so that rows stand in the order of
 * their values. Immutable.
 *
 * @param name its name
 * @param kind where its rows stand
 * @param values the value by which an entity is found; empty if it is not
 * @param version the version of these values; rows of another one are not read
 * @param partitions the number of partitions of its rows elsewhere, 0 if each value has one
 */
public record TableIndex<T>(
        String name, IndexKind kind, Function<T, Optional<String>> values, int version, int partitions) {

    /** Between the name of an index and a value. */
    static final char AFTER_NAME = ':';

    private static final KeyFormat SINGLE = KeyFormat.of().escaped("value");
    private static final KeyFormat PAIR = KeyFormat.of().escaped("first").escaped("second");
    private static final KeyFormat TRIPLE =
            KeyFormat.of().escaped("value").escaped("first").escaped("second");

    /** The place of an index's rows. */
    public enum IndexKind {
        /** One row for each value, in the partition of the entity. */
        UNIQUE("unique", "find"),
        /** One row for each value and entity, in the partition of the entity. */
        ORDERED("local", "range or rangeFrom"),
        /** Rows in a partition for each value. */
        ELSEWHERE("global", "global");

        private final String words;
        private final String lookup;

        IndexKind(String words, String lookup) {
            this.words = words;
            this.lookup = lookup;
        }

        String words() {
            return words;
        }

        /** Returns the verbs whose lookups it serves. */
        String lookup() {
            return lookup;
        }
    }

    public static <T, V> TableIndex<T> of(Index<T, V> index) {
        IndexKind kind =
                index.isUnique() ? IndexKind.UNIQUE : index.isGlobal() ? IndexKind.ELSEWHERE : IndexKind.ORDERED;
        return new TableIndex<>(
                index.name(),
                kind,
                entity -> index.value(entity).map(index::keyText),
                index.version(),
                index.partitions().orElse(0));
    }

    /** Returns the prefix of its rows' keys, which no other keys have. */
    public String prefix() {
        return name + AFTER_NAME;
    }

    /** Returns the first key after all its rows. */
    public String end() {
        return name + (char) (AFTER_NAME + 1);
    }

    public boolean elsewhere() {
        return kind == IndexKind.ELSEWHERE;
    }

    /** Returns whether it has the same rows; functions cannot be compared. */
    public boolean same(TableIndex<T> other) {
        return name.equals(other.name)
                && kind == other.kind
                && version == other.version
                && partitions == other.partitions;
    }

    /** Returns the filter of all its rows. */
    public Filter rows() {
        return (elsewhere() ? Filter.partitionKey() : Filter.rowKey()).startsWith(prefix());
    }

    /** Refuses an entity that would be taken for an index row. */
    public void refuse(String partitionKey, String rowKey) {
        if ((elsewhere() ? partitionKey : rowKey).startsWith(prefix())) {
            throw new InvalidKeyException((elsewhere() ? "PartitionKey" : "RowKey") + ": it begins with \"" + prefix()
                    + "\", as only the rows of the index " + name + " do");
        }
    }

    /** Returns the tag of its rows. */
    public String tag() {
        return name + ' ' + version;
    }

    /** Returns the filter of the rows that readers of this version take. */
    public Filter current() {
        return Filter.raw(PropertyNames.INDEX + " eq '" + tag() + "'");
    }

    /**
     * Returns the value of an entity. The failure of the application's function names the index; an error that Reactor
     * would not signal is carried. A value for which keys have no room is none of the function.
     */
    public Optional<String> value(T entity) {
        try {
            return values.apply(entity);
        } catch (Throwable thrown) {
            if (thrown instanceof InvalidKeyException refused) {
                throw refused;
            }
            String failed = "the function of the index " + name + " failed for an entity: " + UserCode.text(thrown);
            throw Exceptions.isFatal(thrown)
                    ? new IllegalStateException(failed, thrown)
                    : new IllegalArgumentException(failed, thrown);
        }
    }

    /** Returns the row of an entity with this value. */
    public IndexKey key(String value, String partitionKey, String rowKey) {
        return switch (kind) {
            case UNIQUE -> key(partitionKey, first(value));
            case ORDERED -> key(partitionKey, prefix() + PAIR.format(value, rowKey));
            case ELSEWHERE ->
                key(
                        partition(value),
                        partitions == 0
                                ? PAIR.format(partitionKey, rowKey)
                                : TRIPLE.format(value, partitionKey, rowKey));
        };
    }

    private IndexKey key(String partitionKey, String rowKey) {
        return new IndexKey(
                this,
                KeyRules.check("PartitionKey of the index row " + name, partitionKey),
                KeyRules.check("RowKey of the index row " + name, rowKey));
    }

    /** Returns the partition of a value's rows elsewhere. */
    private String partition(String value) {
        if (partitions == 0) {
            return first(value);
        }
        CRC32 hash = new CRC32();
        hash.update(value.getBytes(StandardCharsets.UTF_8));
        int digits = String.valueOf(partitions - 1).length();
        String number = String.valueOf(hash.getValue() % partitions);
        return prefix() + "0".repeat(digits - number.length()) + number;
    }

    /** Returns a query narrowed down to the rows of one value elsewhere. */
    <R> QueryPlan<R> narrowed(QueryPlan<R> plan, String value) {
        QueryPlan<R> one = plan.partition(partition(value));
        return partitions == 0 ? one : one.rowPrefix(TRIPLE.prefix(value));
    }

    /** Returns the row key of a value where values are unique, and the first row key of a value. */
    public String first(String value) {
        return prefix() + SINGLE.format(value);
    }

    /** Returns the prefix of the rows of one value. */
    public String prefix(String value) {
        return prefix() + PAIR.prefix(value);
    }

    /** Returns the entity of an index row; {@code null} if it is none of the library's. */
    @Nullable
    EntityKey owner(IndexedRow row) {
        String entity = row.indexedRow();
        return elsewhere() ? entity(row) : entity == null ? null : new EntityKey(row.partitionKey(), entity);
    }

    /** Returns the entity that a reference points to; {@code null} if it is none of the library's. */
    public static @Nullable EntityKey entity(IndexedRow reference) {
        EntityKey entity = entity(PAIR, reference);
        return entity == null ? entity(TRIPLE, reference) : entity;
    }

    private static @Nullable EntityKey entity(KeyFormat format, IndexedRow reference) {
        try {
            KeyValues keys = format.parse(reference.rowKey());
            EntityKey entity = new EntityKey(keys.text("first"), keys.text("second"));
            return entity.rowKey().equals(reference.indexedRow()) ? entity : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * The place of an entity's index row.
     *
     * @param index the index
     * @param partitionKey the row's partition
     * @param rowKey its key there
     */
    public record IndexKey(TableIndex<?> index, String partitionKey, String rowKey) {

        public boolean elsewhere() {
            return index.kind() == TableIndex.IndexKind.ELSEWHERE;
        }

        public boolean unique() {
            return index.kind() == TableIndex.IndexKind.UNIQUE;
        }
    }
}
