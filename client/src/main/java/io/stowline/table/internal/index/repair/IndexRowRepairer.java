package io.stowline.table.internal.index.repair;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.EntityKey;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.UnreadableEntityException;
import io.stowline.table.internal.index.IndexedContext;
import io.stowline.table.internal.index.IndexedContext.Examined;
import io.stowline.table.internal.index.IndexedRow;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.operation.LaneTransaction;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.query.PointReads;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A repairer that gives one entity the index rows that it lacks. Those in its partition are written in one transaction with an empty merge of the version
 * of the entity that was read, so that they are never those of another version. Thread-safe.
 */
final class IndexRowRepairer<T> {

    private static final int MAX_TRIES = 5;

    private final IndexedContext<T> context;
    private final TableContext<IndexedRow> rows;

    IndexRowRepairer(IndexedContext<T> context) {
        this.context = context;
        this.rows = context.rows();
    }

    /** The finding about one row. */
    private record Finding(IndexReport report, @Nullable EncodedOperation operation) {

        static final Finding FINE = new Finding(IndexFindings.NOTHING, null);
        static final Finding UNRESOLVED = new Finding(IndexFindings.UNRESOLVED, null);
    }

    Mono<IndexReport> mend(EntityKey entity) {
        return mend(entity, MAX_TRIES - 1);
    }

    private Mono<IndexReport> mend(EntityKey entity, int more) {
        return context.examine(entity)
                .flatMap(found -> findings(found).flatMap(findings -> carryOut(found, findings)))
                .map(IndexFindings.ENTITY::and)
                .defaultIfEmpty(IndexFindings.NOTHING)
                // after a lost response the next read-back shows the present row
                .onErrorResume(
                        e -> raced(e) || (more > 0 && e instanceof OutcomeUnknownException),
                        e -> more > 0
                                ? mend(entity, more - 1)
                                : Mono.just(IndexFindings.ENTITY.and(IndexFindings.UNRESOLVED)));
    }

    private static boolean raced(Throwable error) {
        return error instanceof TransactionFailedException failed
                && (failed.getCause() instanceof PreconditionFailedException
                        || failed.getCause() instanceof ConflictException
                        || failed.getCause() instanceof NotFoundException);
    }

    /** Returns whether the entity needs an operator: its type, its own constructor or its indexes refuse it. */
    static boolean unusable(Throwable error) {
        return error instanceof UnreadableEntityException
                || error instanceof IllegalArgumentException
                || error instanceof NullPointerException
                || error instanceof BadRequestException
                || (error instanceof TransactionFailedException && error.getCause() instanceof BadRequestException);
    }

    private Mono<List<Finding>> findings(Examined<T> entity) {
        return Flux.fromIterable(context.keys(entity.stored().value()))
                .flatMapSequential(key -> new PointReads<>(rows)
                        .found(key.partitionKey(), key.rowKey())
                        .map(Optional::of)
                        .defaultIfEmpty(Optional.empty())
                        .flatMap(row -> finding(entity, key, row)))
                .collectList();
    }

    private Mono<Finding> finding(Examined<T> entity, IndexKey key, Optional<StoredEntity<IndexedRow>> row) {
        if (key.elsewhere()) {
            return reference(entity, key, row);
        }
        IndexedRow wanted = entity.raw().copy(key);
        if (row.isEmpty()) {
            return Mono.just(new Finding(IndexFindings.ADDED, context.raw(EntityVerb.INSERT, wanted, null)));
        }
        String owner = row.get().value().indexedRow();
        if (owner == null || row.get().value().matches(wanted)) {
            return Mono.just(owner == null ? Finding.UNRESOLVED : Finding.FINE);
        }
        Finding rewrite = new Finding(
                IndexFindings.REWRITTEN,
                context.raw(EntityVerb.REPLACE, wanted, row.get().etag()));
        return owner.equals(wanted.indexedRow())
                ? Mono.just(rewrite)
                : holds(new EntityKey(key.partitionKey(), owner), key)
                        .map(holds -> holds ? Finding.UNRESOLVED : rewrite);
    }

    /** True if the other entity has this unique value, too, or if that cannot be determined. */
    private Mono<Boolean> holds(EntityKey other, IndexKey key) {
        return context.find(other.partitionKey(), other.rowKey())
                .map(found -> context.keys(found.value()).contains(key))
                .onErrorReturn(IndexRowRepairer::unusable, true)
                .defaultIfEmpty(false);
    }

    /** Writing a reference that is no longer needed does no harm. */
    private Mono<Finding> reference(Examined<T> entity, IndexKey key, Optional<StoredEntity<IndexedRow>> row) {
        IndexedRow wanted = IndexedRow.reference(key, entity.raw().rowKey());
        if (row.isEmpty()) {
            return rows.deliver(() -> rows.encode(EntityVerb.INSERT_OR_REPLACE, wanted))
                    .thenReturn(new Finding(IndexFindings.ADDED, null));
        }
        IndexedRow there = row.get().value();
        if (wanted.matches(there)) {
            return Mono.just(Finding.FINE);
        }
        return entity.raw().rowKey().equals(there.indexedRow())
                ? rows.deliver(() -> rows.encode(EntityVerb.INSERT_OR_REPLACE, wanted))
                        .thenReturn(new Finding(IndexFindings.REWRITTEN, null))
                : Mono.just(Finding.UNRESOLVED);
    }

    private Mono<IndexReport> carryOut(Examined<T> entity, List<Finding> findings) {
        List<EncodedOperation> operations = new ArrayList<>();
        IndexReport report = IndexFindings.NOTHING;
        for (Finding finding : findings) {
            report = report.and(finding.report);
            if (finding.operation != null) {
                operations.add(finding.operation);
            }
        }
        return operations.isEmpty()
                ? Mono.just(report)
                : commit(entity, operations).thenReturn(report);
    }

    private Mono<List<WriteResult>> commit(Examined<T> entity, List<EncodedOperation> operations) {
        IndexedRow raw = entity.raw();
        IndexedRow nothing = new IndexedRow(raw.partitionKey(), raw.rowKey(), Map.of());
        List<EncodedOperation> all = new ArrayList<>();
        all.add(context.raw(EntityVerb.MERGE, nothing, entity.stored().etag()));
        all.addAll(operations);
        return new LaneTransaction(context.primary(), all).patient();
    }
}
