package io.stowline.table.internal.index;

import io.stowline.outcome.WriteResult;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.table.EntityKey;
import io.stowline.table.Index;
import io.stowline.table.ScanPolicy;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.index.IndexedRow.IndexedRowCodec;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.operation.PlannedWrite;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.operation.TableMember;
import io.stowline.table.internal.query.PointReads;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.query.RowMapper;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.OperationEncoder;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.concurrent.AwaitedCode;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.http.StorageResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The context that both faces of a table with indexes share. Immutable.
 *
 * @param view the table as its user has it
 * @param primary the same table with all reads from the primary, since an old state leads to wrong decisions; a repair
 *     scans it whatever the view allows
 * @param indexes the indexes
 * @param grace the least age of a reference to nothing before a repair removes it
 * @param entities the filters of entities, which index rows do not pass
 * @param copies the codec of index rows in the partitions of entities
 * @param stepwise whether its reads are steps of a writer, whose results need no callback thread
 */
public record IndexedContext<T>(
        TableContext<T> view,
        TableContext<T> primary,
        List<TableIndex<T>> indexes,
        Duration grace,
        List<Filter> entities,
        CopyCodec<T> copies,
        boolean stepwise)
        implements TableMember<T> {

    /** Each takes two of the 15 comparisons that the service allows in a query. */
    private static final int MAX = 7;

    private static final Duration GRACE = Duration.ofMinutes(10);

    public static <T> IndexedContext<T> of(TableContext<T> context, List<? extends Index<T, ?>> declared) {
        String table = "table " + context.operations().table() + ": ";
        Set<String> names = new HashSet<>();
        for (Index<T, ?> index : declared) {
            if (!names.add(Objects.requireNonNull(index, "index").name())) {
                throw new IllegalArgumentException(table + "there are two indexes named " + index.name());
            }
        }
        if (names.isEmpty() || names.size() > MAX) {
            throw new IllegalArgumentException(table + names.size() + " indexes are declared; 1 to " + MAX
                    + " are possible, since a query over the entities excludes the rows of each");
        }
        List<TableIndex<T>> indexes =
                declared.stream().<TableIndex<T>>map(TableIndex::of).toList();
        List<Filter> none = indexes.stream().map(index -> index.rows().not()).toList();
        TableContext<T> view =
                new TableContext<>(context.service(), context.operations(), context.codec(), context.mapping());
        TableContext<T> primary = view.with(ReadFrom.PRIMARY).with(ScanPolicy.ALLOW);
        return new IndexedContext<>(view, primary, indexes, GRACE, none, CopyCodec.of(context.codec()), false);
    }

    /** Returns the rows of a table without indexes, as they stand beside others that have some. */
    public static <T> IndexedContext<T> plain(TableContext<T> context) {
        return new IndexedContext<>(
                context, context, List.of(), GRACE, List.of(), CopyCodec.of(context.codec()), false);
    }

    /** Returns the rows of a member of a writer or transaction. */
    public static <T> IndexedContext<T> of(TableMember<T> member) {
        return member instanceof IndexedContext<T> indexed ? indexed : plain(member.context());
    }

    @Override
    public TableContext<T> context() {
        return primary;
    }

    @Override
    public IndexedContext<T> under(TableContext<?> whole) {
        TableContext<T> table = view.under(whole);
        TableContext<T> reading = table.with(ReadFrom.PRIMARY).with(ScanPolicy.ALLOW);
        return new IndexedContext<>(table, reading, indexes, grace, entities, copies, stepwise);
    }

    @Override
    public boolean indexed() {
        return !indexes.isEmpty();
    }

    @Override
    public EncodedOperation encode(TableOperation<T, ?> operation) {
        EncodedOperation entity = primary.encode(operation);
        accept(operation, entity);
        return entity;
    }

    @Override
    public Mono<List<WriteResult>> commit(TableContext<?> whole, List<PlannedWrite<?>> writes) {
        return new IndexedTransaction(this, writes).commit();
    }

    public IndexedContext<T> withGrace(Duration age) {
        Objects.requireNonNull(age, "age");
        if (age.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("grace is at least 1 s, not " + age);
        }
        return new IndexedContext<>(view, primary, indexes, age, entities, copies, stepwise);
    }

    /** Returns the table with those of its indexes whose rows stand beside the entities. */
    IndexedContext<T> besideEntities() {
        List<TableIndex<T>> local =
                indexes.stream().filter(index -> !index.elsewhere()).toList();
        return new IndexedContext<>(view, primary, local, grace, entities, copies, stepwise);
    }

    /** Returns the table with reads that are steps of a writer. */
    public IndexedContext<T> stepwise(TableContext<T> steps) {
        return new IndexedContext<>(view, steps, indexes, grace, entities, copies, true);
    }

    /**
     * Runs work of several requests, one of which goes through the lanes, as one operation: closing the client waits
     * for all of it.
     */
    public <R> Mono<R> asOperation(String verb, Supplier<String> resource, Mono<R> work) {
        return primary.service().sequence(primary.operations().asOperation(verb, resource, work));
    }

    /** Returns the table whose queries leave the index rows out. */
    public TableContext<T> entityView() {
        return view.always(Filter.all(entities));
    }

    public TableContext<IndexedRow> rows() {
        return primary.with(IndexedRowCodec.ROWS);
    }

    public OperationEncoder encoder() {
        return primary.operations().encoder();
    }

    public String table() {
        return primary.operations().table();
    }

    /** Returns the rows of an index of this table, which must be of one of these kinds. */
    public TableIndex<T> rows(Index<T, ?> declared, TableIndex.IndexKind... kinds) {
        TableIndex<T> index = TableIndex.of(Objects.requireNonNull(declared, "index"));
        if (indexes.stream().noneMatch(index::same)) {
            throw new IllegalArgumentException("table " + table() + " has no " + declared + " of version "
                    + index.version() + "; it has "
                    + indexes.stream()
                            .map(each -> each.tag() + ", " + each.kind().words())
                            .toList());
        }
        if (!List.of(kinds).contains(index.kind())) {
            throw new IllegalArgumentException("index " + index.name() + " of table " + table() + " is "
                    + index.kind().words() + ", and this lookup is for one that is " + words(kinds) + ": use "
                    + index.kind().lookup());
        }
        return index;
    }

    private static String words(TableIndex.IndexKind... kinds) {
        return String.join(
                " or ", List.of(kinds).stream().map(TableIndex.IndexKind::words).toList());
    }

    /** Returns the places of an entity's index rows; refuses an entity in a place for index rows only. */
    public List<IndexKey> keys(T value) {
        String partitionKey = primary.codec().partitionKey(value);
        String rowKey = primary.codec().rowKey(value);
        for (TableIndex<T> index : indexes) {
            index.refuse(partitionKey, rowKey);
        }
        return indexes.stream()
                .flatMap(index -> index.value(value).map(text -> index.key(text, partitionKey, rowKey)).stream())
                .toList();
    }

    /** Refuses an operation on an entity that stands where only index rows may, or has no keys for its index rows. */
    private void accept(TableOperation<T, ?> operation, EncodedOperation entity) {
        StoredEntity<T> stored = operation.stored();
        T value = stored == null ? operation.value() : stored.value();
        boolean complete = EntityVerb.of(operation).replaces();
        if (value != null && complete) {
            keys(value);
        }
        indexes.forEach(index -> index.refuse(entity.partitionKey(), entity.rowKey()));
    }

    /** Refuses an index name that another type of the same table has. */
    public void refuseShared(String index, Map<String, String> owners) {
        String type = primary.codec().typeName(null);
        String owner = owners.putIfAbsent(index, type);
        if (owner != null && !owner.equals(type)) {
            throw new IllegalArgumentException("table " + table() + ": " + owner + " and " + type
                    + " have an index named " + index + " each; the index rows of one table need different names");
        }
    }

    /** Returns the most copies of an entity. */
    public int copyCount() {
        return (int) indexes.stream().filter(index -> !index.elsewhere()).count();
    }

    /** Refuses a partition where only references stand. */
    @Override
    public String entityPartition(String partitionKey) {
        Objects.requireNonNull(partitionKey, "partitionKey");
        indexes.forEach(index -> index.refuse(partitionKey, ""));
        return KeyRules.check("PartitionKey", partitionKey);
    }

    public EncodedOperation copy(EntityVerb verb, IndexKey key, T value, @Nullable String ifMatch) {
        return encoder().encode(verb, value, copies.at(key), ifMatch);
    }

    public EncodedOperation raw(EntityVerb verb, IndexedRow row, @Nullable String ifMatch) {
        return encoder().encode(verb, row, IndexedRowCodec.ROWS, ifMatch);
    }

    public Mono<StoredEntity<T>> find(String partitionKey, String rowKey) {
        return find(primary, partitionKey, rowKey);
    }

    /** Returns the places of the index rows of an entity as it is now; nothing if it is gone. */
    public Mono<List<IndexKey>> keys(String partitionKey, String rowKey) {
        return find(partitionKey, rowKey).map(found -> keys(found.value()));
    }

    private <R> Mono<StoredEntity<R>> find(TableContext<R> table, String partitionKey, String rowKey) {
        PointReads<R> reads = new PointReads<>(table);
        return handedOn(Mono.defer(() -> reads.one(new EntityKey(partitionKey, rowKey))))
                .map(UserCode.contained(reads::decoded));
    }

    private <R> Mono<R> handedOn(Mono<R> read) {
        TableService service = primary.service();
        return AwaitedCode.behind(stepwise ? service.continued(read) : service.delivered(read));
    }

    /** Returns the index row that stands there, if it is one of this entity. */
    public Mono<StoredEntity<IndexedRow>> own(IndexKey key, String entityRow) {
        return find(primary.with(IndexedRowCodec.OWNERS), key.partitionKey(), key.rowKey())
                .filter(row -> entityRow.equals(row.value().indexedRow()));
    }

    /** Returns a read of a whole row. */
    public Mono<StorageResponse> readBack(String partitionKey, String rowKey) {
        return readBack(partitionKey, rowKey, IndexedRowCodec.ROWS);
    }

    /** Returns the copy in this place; a row that is no copy of this version of the index is skipped. */
    public Mono<T> copy(TableIndex<T> index, String partitionKey, String rowKey) {
        return readBack(partitionKey, rowKey, copies)
                .filter(response -> index.tag()
                        .equals(RowDecoder.row(response, IndexedRowCodec.ROWS)
                                .value()
                                .index()))
                .map(UserCode.contained(
                        response -> RowDecoder.row(table(), response, copies).value()));
    }

    /** Returns a read of a row's properties for this codec. */
    public Mono<StorageResponse> readBack(String partitionKey, String rowKey, EntityCodec<?> codec) {
        return handedOn(primary.operations().find(partitionKey, rowKey, codec.select(), codec.metadataLevel()));
    }

    /** Returns an entity, as the type of the table and in its stored form. */
    public Mono<Examined<T>> examine(EntityKey key) {
        return readBack(key.partitionKey(), key.rowKey())
                .map(UserCode.contained(response -> new Examined<>(
                        RowMapper.stored(RowDecoder.row(table(), response, primary.codec())),
                        RowDecoder.row(response, IndexedRowCodec.ROWS).value())));
    }

    /**
     * An entity in both forms.
     *
     * @param stored as the type of the table
     * @param raw as it stands there
     */
    public record Examined<T>(StoredEntity<T> stored, IndexedRow raw) {}
}
