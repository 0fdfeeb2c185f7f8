package io.stowline.table;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.table.TableIndex.IndexKey;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.OperationEncoder;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.http.StorageResponse;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What both faces of a table with indexes stand on. Immutable.
 *
 * @param view the table as its user has it
 * @param primary the same table with all reads from the primary, since what is decided by an old state is decided wrongly; a repair
 *     scans it whatever the view allows
 * @param settings the settings of the indexes
 * @param indexes the indexes
 * @param entities what entities have in common and index rows have not
 * @param copies the codec of index rows in the partitions of entities
 */
record IndexedContext<T>(
        TableContext<T> view,
        TableContext<T> primary,
        IndexSettings<T> settings,
        List<TableIndex<T>> indexes,
        Filter entities,
        CopyCodec<T> copies) {

    static <T> IndexedContext<T> of(TableContext<T> scope, IndexSettings<T> settings) {
        if (settings.indexes().isEmpty()) {
            throw new IllegalArgumentException(
                    "table " + scope.client().table() + ": no index is declared; at least one is needed");
        }
        List<Filter> none =
                settings.indexes().stream().map(index -> index.rows().not()).toList();
        TableContext<T> view = new TableContext<>(scope.service(), scope.client(), scope.codec(), scope.mapping());
        TableContext<T> primary = view.with(ReadFrom.PRIMARY).with(ScanPolicy.ALLOW);
        return new IndexedContext<>(
                view, primary, settings, settings.indexes(), Filter.all(none), CopyCodec.of(scope.codec()));
    }

    /** The rows as they stand in the table, whatever they are. */
    ReactiveTable<IndexedRow> rows() {
        return new ReactiveTable<>(primary.with(IndexedRowCodec.ROWS));
    }

    OperationEncoder encoder() {
        return primary.client().encoder();
    }

    String table() {
        return primary.client().table();
    }

    /** The index of this name, which must be of one of these kinds. */
    TableIndex<T> index(String name, TableIndex.Kind... kinds) {
        TableIndex<T> index = indexes.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("table " + table() + " has no index " + name
                        + "; it has "
                        + indexes.stream().map(TableIndex::name).toList()));
        if (!List.of(kinds).contains(index.kind())) {
            throw new IllegalArgumentException("index " + name + " of table " + table() + " is "
                    + index.kind().words() + "; this is for one that is " + words(kinds));
        }
        return index;
    }

    private static String words(TableIndex.Kind... kinds) {
        return String.join(
                " or ", List.of(kinds).stream().map(TableIndex.Kind::words).toList());
    }

    /** Where the index rows of an entity stand; refuses an entity that stands where only index rows may. */
    List<IndexKey> keys(T value) {
        String partitionKey = primary.codec().partitionKey(value);
        String rowKey = primary.codec().rowKey(value);
        for (TableIndex<T> index : indexes) {
            index.refuse(partitionKey, rowKey);
        }
        return indexes.stream()
                .flatMap(index -> index.value(value).map(text -> index.key(text, partitionKey, rowKey)).stream())
                .toList();
    }

    /** Refuses a partition where only references stand. */
    String entityPartition(String partitionKey) {
        Objects.requireNonNull(partitionKey, "partitionKey");
        indexes.forEach(index -> index.refuse(partitionKey, ""));
        return KeyRules.check("PartitionKey", partitionKey);
    }

    EncodedOperation copy(EntityVerb verb, IndexKey key, T value, @Nullable String ifMatch) {
        return encoder().encode(verb, value, copies.at(key), ifMatch);
    }

    EncodedOperation raw(EntityVerb verb, IndexedRow row, @Nullable String ifMatch) {
        return encoder().encode(verb, row, IndexedRowCodec.ROWS, ifMatch);
    }

    Mono<StoredEntity<T>> find(String partitionKey, String rowKey) {
        return new ReactiveTable<>(primary).find(partitionKey, rowKey);
    }

    /** The index row that stands there, if it is one of this entity. */
    Mono<StoredEntity<IndexedRow>> own(IndexKey key, String entityRow) {
        return new ReactiveTable<>(primary.with(IndexedRowCodec.OWNERS))
                .find(key.partitionKey(), key.rowKey())
                .filter(row -> entityRow.equals(row.value().indexedRow()));
    }

    /** A look at a row that has all of it. */
    Mono<StorageResponse> look(String partitionKey, String rowKey) {
        return look(partitionKey, rowKey, IndexedRowCodec.ROWS);
    }

    /** The copy that stands there; what is no copy of this version of the index is passed over. */
    Mono<T> copy(TableIndex<T> index, String partitionKey, String rowKey) {
        return look(partitionKey, rowKey, copies)
                .filter(answer -> index.tag()
                        .equals(RowDecoder.row(answer, IndexedRowCodec.ROWS)
                                .value()
                                .index()))
                .map(UserCode.contained(
                        answer -> RowDecoder.row(table(), answer, copies).value()));
    }

    /** A look at what this codec reads of a row. */
    Mono<StorageResponse> look(String partitionKey, String rowKey, EntityCodec<?> codec) {
        return primary.service()
                .delivered(primary.client().find(partitionKey, rowKey, codec.select(), codec.metadataLevel()));
    }

    /** An entity, as the type of the table and as it stands there. */
    Mono<Examined<T>> examine(EntityKey key) {
        return look(key.partitionKey(), key.rowKey())
                .map(UserCode.contained(answer -> new Examined<>(
                        RowMapper.stored(RowDecoder.row(table(), answer, primary.codec())),
                        RowDecoder.row(answer, IndexedRowCodec.ROWS).value())));
    }

    /**
     * An entity in both forms.
     *
     * @param stored as the type of the table
     * @param raw as it stands there
     */
    record Examined<T>(StoredEntity<T> stored, IndexedRow raw) {}
}
