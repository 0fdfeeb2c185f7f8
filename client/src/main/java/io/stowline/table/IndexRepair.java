package io.stowline.table;

import io.stowline.error.BadRequestException;
import io.stowline.error.TransactionFailedException;
import io.stowline.projection.filter.Filter;
import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.transport.internal.http.StorageResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Compares index rows with entities and mends what differs, beside writers that go on. Holds a few rows at a time, however many there
 * are. Thread-safe.
 */
final class IndexRepair<T> {

    private static final Logger LOG = LoggerFactory.getLogger(IndexedTable.class);

    private static final int AT_A_TIME = 8;

    private final IndexedContext<T> scope;
    private final ReactiveTable<IndexedRow> rows;
    private final ReactiveTable<IndexedRow> owners;
    private final IndexRowRepairer<T> mending;

    IndexRepair(IndexedContext<T> scope) {
        this.scope = scope;
        this.rows = scope.rows();
        this.owners = new ReactiveTable<>(scope.primary().with(IndexedRowCodec.OWNERS));
        this.mending = new IndexRowRepairer<>(scope);
    }

    /** All that belongs to the entities of one partition. What is left elsewhere by entities that are gone is not found so. */
    Mono<IndexReport> partition(String partitionKey) {
        ReactiveQuery<IndexedRow> one = owners.query().partition(scope.entityPartition(partitionKey));
        return added(entities(one).concatWith(Flux.defer(() -> copies(one))));
    }

    /** All of the table. */
    Mono<IndexReport> table() {
        Flux<IndexReport> here = entities(owners.query()).concatWith(Flux.defer(() -> copies(onlyEntityPartitions())));
        return added(here.concatWith(Flux.defer(this::references)));
    }

    private static Mono<IndexReport> added(Flux<IndexReport> findings) {
        return findings.reduce(IndexReport.NOTHING, IndexReport::and);
    }

    /** Every entity has its rows. */
    private Flux<IndexReport> entities(ReactiveQuery<IndexedRow> where) {
        return where.where(scope.entities()).select().stream()
                .flatMap(entity -> mended(new EntityKey(entity.partitionKey(), entity.rowKey())), AT_A_TIME, 1);
    }

    private Mono<IndexReport> mended(EntityKey entity) {
        return mending.mend(entity)
                .onErrorResume(IndexRepair::unusable, e -> unresolved(entity, e).map(IndexReport.ENTITY::and));
    }

    /** Whether the entity needs an operator: its type, its own constructor or its indexes refuse it. */
    static boolean unusable(Throwable error) {
        return error instanceof UnreadableEntityException
                || error instanceof IllegalArgumentException
                || error instanceof NullPointerException
                || error instanceof BadRequestException
                || (error instanceof TransactionFailedException && error.getCause() instanceof BadRequestException);
    }

    private Mono<IndexReport> unresolved(EntityKey entity, Throwable e) {
        LOG.warn(
                "repair of {}: the entity ({},{}) is left as it is: {}",
                scope.table(),
                entity.partitionKey(),
                entity.rowKey(),
                e.getMessage());
        return Mono.just(IndexReport.UNRESOLVED);
    }

    private ReactiveQuery<IndexedRow> onlyEntityPartitions() {
        ReactiveQuery<IndexedRow> query = owners.query();
        for (TableIndex<T> index : scope.indexes()) {
            query = index.elsewhere() ? query.where(index.rows().not()) : query;
        }
        return query;
    }

    /** Every copy has its entity. */
    private Flux<IndexReport> copies(ReactiveQuery<IndexedRow> where) {
        List<Filter> local = new ArrayList<>();
        for (TableIndex<T> index : scope.indexes()) {
            if (!index.elsewhere()) {
                local.add(index.rows());
            }
        }
        return local.isEmpty()
                ? Flux.empty()
                : where.where(Filter.any(local)).streamStored().flatMap(this::copy, AT_A_TIME, 1);
    }

    private Mono<IndexReport> copy(StoredEntity<IndexedRow> row) {
        String owner = row.value().indexedRow();
        return owner == null
                ? Mono.just(IndexReport.UNRESOLVED)
                : unless(row.value(), new EntityKey(row.value().partitionKey(), owner), () -> removed(row));
    }

    /** Every reference has its entity. */
    private Flux<IndexReport> references() {
        return Flux.fromIterable(scope.indexes())
                .filter(TableIndex::elsewhere)
                .concatMap(index -> owners.query().where(index.rows()).stream().flatMap(this::reference, AT_A_TIME, 1));
    }

    private Mono<IndexReport> reference(IndexedRow row) {
        EntityKey entity = TableIndex.entity(row);
        return entity == null ? Mono.just(IndexReport.UNRESOLVED) : unless(row, entity, () -> leftover(row, entity));
    }

    /** Looks again: the version that is removed must be older than the look at the entity, and older than any write takes. */
    private Mono<IndexReport> leftover(IndexedRow row, EntityKey entity) {
        return scope.look(row.partitionKey(), row.rowKey(), IndexedRowCodec.OWNERS)
                .filter(this::outlived)
                .map(answer -> RowMapper.stored(RowDecoder.row(answer, IndexedRowCodec.OWNERS)))
                .flatMap(version -> unless(row, entity, () -> removed(version)))
                .defaultIfEmpty(IndexReport.NOTHING);
    }

    private boolean outlived(StorageResponse answer) {
        DecodedRow<IndexedRow> row = RowDecoder.row(answer, IndexedRowCodec.OWNERS);
        @Nullable Instant written = row.timestamp();
        Instant now = answer.date();
        return written != null
                && now != null
                && written.plus(scope.settings().grace()).isBefore(now);
    }

    /** Does this to a row unless it is one of the entity's. */
    private Mono<IndexReport> unless(IndexedRow row, EntityKey entity, Supplier<Mono<IndexReport>> otherwise) {
        return scope.find(entity.partitionKey(), entity.rowKey())
                .map(found -> scope.keys(found.value()).stream()
                        .anyMatch(key -> key.partitionKey().equals(row.partitionKey())
                                && key.rowKey().equals(row.rowKey())))
                .defaultIfEmpty(false)
                .flatMap(belongs -> belongs ? Mono.just(IndexReport.NOTHING) : otherwise.get())
                .onErrorResume(IndexRepair::unusable, e -> unresolved(entity, e));
    }

    /** A writer that corrects the row gives it another version, so the conditional delete fails. */
    private Mono<IndexReport> removed(StoredEntity<IndexedRow> row) {
        return rows.delete(row)
                .thenReturn(IndexReport.REMOVED)
                .onErrorResume(IndexedWrite::raced, e -> Mono.just(IndexReport.NOTHING));
    }
}
