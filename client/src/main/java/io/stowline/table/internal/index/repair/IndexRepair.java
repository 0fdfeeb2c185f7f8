package io.stowline.table.internal.index.repair;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.internal.PrintableText;
import io.stowline.projection.filter.Filter;
import io.stowline.table.EntityKey;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.index.IndexedContext;
import io.stowline.table.internal.index.IndexedRow;
import io.stowline.table.internal.index.IndexedRow.IndexedRowCodec;
import io.stowline.table.internal.index.IndexedWrites;
import io.stowline.table.internal.index.TableIndex;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.query.DefaultReactiveQuery;
import io.stowline.table.internal.query.QueryPlan;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.query.RowDecoder.RowWithValue;
import io.stowline.table.internal.query.RowMapper;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.http.StorageResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A repair that compares index rows with entities and mends what differs, beside writers that go on. One scan adds up what should be there and what is;
 * only where the sums differ it looks at single entities and rows. Holds a few rows at a time, however many there are. Thread-safe.
 */
public final class IndexRepair<T> {

    private static final Logger LOG = LoggerFactory.getLogger(IndexedTable.class);

    private static final int AT_A_TIME = 8;

    private static final int PARTITION_PARTS = 256;

    private static final int REFERENCE_PARTS = 4_096;

    private final IndexedContext<T> context;
    private final TableContext<IndexedRow> rows;
    private final TableContext<IndexedRow> owners;
    private final IndexRowRepairer<T> mending;

    public IndexRepair(IndexedContext<T> context) {
        this.context = context;
        this.rows = context.rows();
        this.owners = context.primary().with(IndexedRowCodec.OWNERS);
        this.mending = new IndexRowRepairer<>(context);
    }

    /** Repairs all rows of the entities of one partition. */
    public Mono<IndexReport> partition(String partitionKey) {
        String partition = context.entityPartition(partitionKey);
        return IndexFindings.sum(
                context.indexes().stream().anyMatch(TableIndex::elsewhere)
                        ? comparedRows(partition, entity -> true)
                        : compared(rows().partition(partition), new IndexComparison(1))
                                .map(Checked::report));
    }

    /** Repairs the whole table, or its rest: entities of earlier partitions, and references to them, are left out. */
    public Mono<IndexReport> table(@Nullable String from, BiConsumer<? super String, ? super IndexReport> progress) {
        return Mono.defer(() -> {
            QueryPlan<IndexedRow> rest = rest(from);
            IndexComparison references = new IndexComparison(REFERENCE_PARTS);
            AtomicReference<IndexReport> soFar = new AtomicReference<>(IndexFindings.NOTHING);
            Flux<IndexReport> here = compared(rest, references)
                    .doOnNext(done -> {
                        IndexReport all = soFar.accumulateAndGet(done.report, IndexReport::and);
                        UserCode.run(() -> progress.accept(done.partition, all));
                    })
                    .map(Checked::report);
            return IndexFindings.sum(
                    here.concatWith(Flux.defer(() -> references(rest, from == null ? "" : from, references))));
        });
    }

    private QueryPlan<IndexedRow> rest(@Nullable String from) {
        QueryPlan<IndexedRow> plan = onlyEntityPartitions(rows());
        return from == null ? plan : plan.where(Filter.partitionKey().atLeast(context.entityPartition(from)));
    }

    /** Returns the entities of the table, or of the partitions from one on. */
    Flux<RowWithValue<IndexedRow, T>> entities(@Nullable String from) {
        return scanned(rest(from)).filter(row -> index(row.row()) == null);
    }

    private QueryPlan<IndexedRow> rows() {
        return QueryPlan.of(context.primary().with(IndexedRowCodec.ROWS));
    }

    /** The report on one partition. */
    private record Checked(String partition, IndexReport report) {}

    /**
     * Reads all rows once, in the order of their keys, and examines only entities whose index rows differ from the right ones.
     *
     * @param references collects the references that the entities should have
     */
    private Flux<Checked> compared(QueryPlan<IndexedRow> plan, IndexComparison references) {
        return scanned(plan)
                .windowUntilChanged(row -> row.row().partitionKey())
                .concatMap(
                        partition -> partition
                                .reduceWith(() -> new PartitionCheck(references), PartitionCheck::with)
                                .flatMap(PartitionCheck::ended),
                        1);
    }

    private Flux<RowWithValue<IndexedRow, T>> scanned(QueryPlan<IndexedRow> plan) {
        return context.primary()
                .service()
                .delivered(plan.valuePages())
                .concatMapIterable(
                        UserCode.contained(page -> RowDecoder.rowsWithValues(
                                context.table(),
                                page,
                                IndexedRowCodec.ROWS,
                                context.primary().codec(),
                                this::isEntity)),
                        1);
    }

    /** The index in whose place a row of an entity's partition stands; {@code null} for an entity. */
    private @Nullable TableIndex<T> index(IndexedRow row) {
        return context.indexes().stream()
                .filter(index -> !index.elsewhere() && row.rowKey().startsWith(index.prefix()))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether it is a row of the type: rows of other types, and their index rows, may stand beside it. */
    private boolean isEntity(IndexedRow row) {
        return index(row) == null && owns(row.rowKey(), row.values());
    }

    private boolean owns(String rowKey, Map<String, Object> values) {
        EntityCodec<T> codec = context.primary().codec();
        String mark = codec.mark();
        return codec.owns(rowKey, mark == null ? null : values.get(mark));
    }

    /** One partition on its way through a scan. */
    private final class PartitionCheck {

        private final IndexComparison references;
        private final IndexComparison copies = new IndexComparison(PARTITION_PARTS);
        private String partition = "";
        private long entities;
        private boolean foreignRows;

        PartitionCheck(IndexComparison references) {
            this.references = references;
        }

        PartitionCheck with(RowWithValue<IndexedRow, T> next) {
            IndexedRow row = next.row();
            partition = row.partitionKey();
            if (isEntity(row)) {
                entities++;
                entity(row, next.value());
            } else if (index(row) == null) {
                return this;
            } else if (row.indexedRow() == null) {
                foreignRows = true;
            } else {
                copies.found(new EntityKey(partition, row.indexedRow()), row);
            }
            return this;
        }

        private void entity(IndexedRow row, @Nullable T value) {
            EntityKey entity = new EntityKey(partition, row.rowKey());
            try {
                if (value == null) {
                    copies.suspect(entity);
                    return;
                }
                for (IndexKey key : context.keys(value)) {
                    (key.elsewhere() ? references : copies).wanted(entity, IndexComparison.wantedRow(key, row));
                }
            } catch (RuntimeException refused) {
                // The closer check shows what is wrong with it.
                copies.suspect(entity);
            }
        }

        Mono<Checked> ended() {
            IndexReport counted = new IndexReport(entities, 0, 0, 0, 0);
            return copies.isEqual() && !foreignRows
                    ? Mono.just(new Checked(partition, counted))
                    : IndexFindings.sum(comparedRows(partition, copies::differs))
                            .map(found -> new Checked(partition, counted.and(IndexFindings.withoutEntities(found))));
        }
    }

    /** Examines each of these entities, and at each copy of theirs or without an owner. */
    private Flux<IndexReport> comparedRows(String partition, Predicate<EntityKey> suspect) {
        ReactiveQuery<IndexedRow> one = new DefaultReactiveQuery<>(QueryPlan.of(owners)).partition(partition);
        return entities(one, suspect).concatWith(Flux.defer(() -> copies(one, suspect)));
    }

    private Flux<IndexReport> entities(ReactiveQuery<IndexedRow> where, Predicate<EntityKey> suspect) {
        String mark = context.primary().codec().mark();
        return where
                .where(Filter.all(context.entities()))
                .select(mark == null ? new String[0] : new String[] {mark})
                .stream()
                .filter(entity -> owns(entity.rowKey(), entity.properties()))
                .map(entity -> new EntityKey(entity.partitionKey(), entity.rowKey()))
                .filter(suspect)
                .flatMap(this::mended, AT_A_TIME, 1);
    }

    private Mono<IndexReport> mended(EntityKey entity) {
        return mending.mend(entity).onErrorResume(IndexRowRepairer::unusable, e -> unresolved(entity, e)
                .map(IndexFindings.ENTITY::and));
    }

    private Mono<IndexReport> unresolved(EntityKey entity, Throwable e) {
        LOG.warn(
                "repair of {}: the entity ({},{}) is left as it is: {}",
                context.table(),
                PrintableText.of(entity.partitionKey()),
                PrintableText.of(entity.rowKey()),
                e.getMessage());
        return Mono.just(IndexFindings.UNRESOLVED);
    }

    private QueryPlan<IndexedRow> onlyEntityPartitions(QueryPlan<IndexedRow> plan) {
        QueryPlan<IndexedRow> query = plan;
        for (TableIndex<T> index : context.indexes()) {
            query = index.elsewhere() ? query.where(index.rows().not()) : query;
        }
        return query;
    }

    private Flux<IndexReport> copies(ReactiveQuery<IndexedRow> where, Predicate<EntityKey> suspect) {
        List<Filter> local = new ArrayList<>();
        for (TableIndex<T> index : context.indexes()) {
            if (!index.elsewhere()) {
                local.add(index.rows());
            }
        }
        return local.isEmpty()
                ? Flux.empty()
                : where.where(Filter.any(local))
                        .streamStored()
                        .filter(row -> row.value().indexedRow() == null
                                || suspect.test(new EntityKey(
                                        row.value().partitionKey(), row.value().indexedRow())))
                        .flatMap(this::copy, AT_A_TIME, 1);
    }

    private Mono<IndexReport> copy(StoredEntity<IndexedRow> row) {
        String owner = row.value().indexedRow();
        return owner == null
                ? Mono.just(IndexFindings.UNRESOLVED)
                : unless(row.value(), new EntityKey(row.value().partitionKey(), owner), () -> removed(row));
    }

    private Flux<IndexReport> references(QueryPlan<IndexedRow> entities, String from, IndexComparison wanted) {
        Flux<IndexReport> foreign = there(from)
                .doOnNext(row ->
                        Optional.ofNullable(TableIndex.entity(row)).ifPresent(entity -> wanted.found(entity, row)))
                .filter(row -> TableIndex.entity(row) == null)
                .map(row -> IndexFindings.UNRESOLVED);
        return foreign.concatWith(Flux.defer(() -> wanted.isEqual() ? Flux.empty() : mended(entities, from, wanted)));
    }

    private Flux<IndexReport> mended(QueryPlan<IndexedRow> entities, String from, IndexComparison wanted) {
        Flux<IndexReport> missing = scanned(entities)
                .filter(row -> row.value() != null)
                .map(row -> new EntityKey(row.row().partitionKey(), row.row().rowKey()))
                .filter(wanted::differs)
                .flatMap(this::mended, AT_A_TIME, 1)
                .map(IndexFindings::withoutEntities);
        Flux<IndexReport> left = there(from)
                .flatMap(
                        row -> {
                            EntityKey entity = TableIndex.entity(row);
                            return entity != null && wanted.differs(entity)
                                    ? unless(row, entity, () -> leftover(row, entity))
                                    : Mono.empty();
                        },
                        AT_A_TIME,
                        1);
        return missing.concatWith(Flux.defer(() -> left));
    }

    private Flux<IndexedRow> there(String from) {
        return Flux.fromIterable(context.indexes())
                .filter(TableIndex::elsewhere)
                .concatMap(index -> new DefaultReactiveQuery<>(QueryPlan.of(owners)).where(index.rows()).stream())
                .filter(row -> {
                    EntityKey entity = TableIndex.entity(row);
                    return entity == null
                            ? from.isEmpty()
                            : entity.partitionKey().compareTo(from) >= 0;
                });
    }

    /** Reads again: the removed version must be older than the read of the entity, and older than the longest write. */
    private Mono<IndexReport> leftover(IndexedRow row, EntityKey entity) {
        return context.readBack(row.partitionKey(), row.rowKey(), IndexedRowCodec.OWNERS)
                .filter(this::outlived)
                .map(response -> RowMapper.stored(RowDecoder.row(response, IndexedRowCodec.OWNERS)))
                .flatMap(version -> unless(row, entity, () -> removed(version)))
                .defaultIfEmpty(IndexFindings.NOTHING);
    }

    private boolean outlived(StorageResponse response) {
        @Nullable
        Instant written = RowDecoder.row(response, IndexedRowCodec.OWNERS).timestamp();
        Instant now = response.date();
        return written != null && now != null && written.plus(context.grace()).isBefore(now);
    }

    /** Repairs a row unless it is one of the entity's. */
    private Mono<IndexReport> unless(IndexedRow row, EntityKey entity, Supplier<Mono<IndexReport>> otherwise) {
        return context.find(entity.partitionKey(), entity.rowKey())
                .map(found -> context.keys(found.value()).stream()
                        .anyMatch(key -> key.partitionKey().equals(row.partitionKey())
                                && key.rowKey().equals(row.rowKey())))
                .defaultIfEmpty(false)
                .flatMap(belongs -> belongs ? Mono.just(IndexFindings.NOTHING) : otherwise.get())
                .onErrorResume(IndexRowRepairer::unusable, e -> unresolved(entity, e));
    }

    /** A writer that corrects the row gives it another version, so the conditional delete fails. */
    private Mono<IndexReport> removed(StoredEntity<IndexedRow> row) {
        return rows.deliver(() -> rows.encodeDelete(row))
                .thenReturn(IndexFindings.REMOVED)
                .onErrorResume(IndexedWrites::raced, e -> Mono.just(IndexFindings.NOTHING))
                .onErrorResume(OutcomeUnknownException.class, e -> unknown(row, e));
    }

    /** The version that was to be removed is gone after a lost response, or another writer has replaced it. */
    private Mono<IndexReport> unknown(StoredEntity<IndexedRow> row, OutcomeUnknownException e) {
        return context.readBack(row.value().partitionKey(), row.value().rowKey(), IndexedRowCodec.OWNERS)
                .map(found -> RowMapper.stored(RowDecoder.row(found, IndexedRowCodec.OWNERS)))
                .flatMap(found ->
                        found.etag().equals(row.etag()) ? Mono.<IndexReport>error(e) : Mono.just(IndexFindings.NOTHING))
                .defaultIfEmpty(IndexFindings.REMOVED);
    }
}
