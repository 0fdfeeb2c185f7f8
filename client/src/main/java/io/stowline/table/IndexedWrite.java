package io.stowline.table;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.TransactionFailedException;
import io.stowline.table.TableIndex.IndexKey;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The change of one entity with its index rows in the same partition: one transaction. Rows of unique values may be another entity's and
 * are bound to the versions that were looked at. If the service reports that a row is missing or has changed, it reads all rows and builds
 * the transaction again. Immutable.
 */
final class IndexedWrite<T> {

    /** How often rows may change under it. */
    private static final int MOST_TRIES = 5;

    private final IndexedContext<T> scope;
    private final EncodedOperation entity;
    private final @Nullable T value;
    private final List<IndexKey> kept;
    private final List<IndexKey> fresh;
    private final List<IndexKey> stale;

    /**
     * Prepares a change.
     *
     * @param entity what is done to the entity
     * @param value the entity afterwards, or {@code null} if there is none
     * @param before its index rows before
     * @param after its index rows afterwards
     */
    IndexedWrite(
            IndexedContext<T> scope,
            EncodedOperation entity,
            @Nullable T value,
            List<IndexKey> before,
            List<IndexKey> after) {
        this.scope = scope;
        this.entity = entity;
        this.value = value;
        this.kept =
                after.stream().filter(key -> here(key) && before.contains(key)).toList();
        this.fresh =
                after.stream().filter(key -> here(key) && !before.contains(key)).toList();
        this.stale =
                before.stream().filter(key -> here(key) && !after.contains(key)).toList();
    }

    private static boolean here(IndexKey key) {
        return !key.elsewhere();
    }

    /** An operation of the transaction with the index row that it is for. */
    private record Step(EncodedOperation operation, IndexKey row) {}

    Mono<EntityWriteResult> send() {
        return send(IndexKey::unique, MOST_TRIES - 1);
    }

    /** Looks at the rows that are in doubt: first at those whose keys do not say whose they are, and once one was missing, at all. */
    private Mono<EntityWriteResult> send(Predicate<IndexKey> inDoubt, int more) {
        return looking(inDoubt).flatMap(etags -> send(steps(etags), more));
    }

    private Mono<EntityWriteResult> send(List<Step> steps, int more) {
        return commit(steps)
                .map(written -> written.get(0))
                .onErrorResume(
                        TransactionFailedException.class,
                        e -> more > 0 && misses(e) ? send(key -> true, more - 1) : Mono.error(told(e, steps)));
    }

    private Mono<List<EntityWriteResult>> commit(List<Step> steps) {
        TransactionPlan<T> plan = new TransactionPlan<>(scope.primary(), entity.partitionKey());
        plan.add(entity);
        steps.forEach(step -> plan.add(step.operation));
        return plan.patient();
    }

    private static boolean misses(TransactionFailedException e) {
        return e.index() > 0
                && (e.getCause() instanceof NotFoundException || e.getCause() instanceof PreconditionFailedException);
    }

    /** The ETags of the entity's own rows; of those that are in no doubt, {@code *}. */
    private Mono<Map<IndexKey, String>> looking(Predicate<IndexKey> inDoubt) {
        return Flux.concat(Flux.fromIterable(kept), Flux.fromIterable(stale))
                .flatMap(key -> inDoubt.test(key) ? own(key) : Mono.just(Map.entry(key, "*")))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private Mono<Map.Entry<IndexKey, String>> own(IndexKey key) {
        return scope.own(key, entity.rowKey()).map(row -> Map.entry(key, row.etag()));
    }

    /** What makes the rows right. One of a unique value that is not the entity's own is made, which fails if another entity has it. */
    private List<Step> steps(Map<IndexKey, String> etags) {
        List<Step> steps = new ArrayList<>();
        fresh.forEach(key -> steps.add(written(key, null)));
        kept.forEach(key -> steps.add(written(key, etags.get(key))));
        stale.forEach(key -> Optional.ofNullable(etags.get(key)).ifPresent(etag -> steps.add(removed(key, etag))));
        return steps;
    }

    private Step written(IndexKey key, @Nullable String etag) {
        T copied = Objects.requireNonNull(value, "a copy of nothing");
        if (!key.unique()) {
            return new Step(scope.copy(EntityVerb.INSERT_OR_REPLACE, key, copied, null), key);
        }
        return new Step(scope.copy(etag == null ? EntityVerb.INSERT : EntityVerb.REPLACE, key, copied, etag), key);
    }

    private Step removed(IndexKey key, String etag) {
        return new Step(scope.encoder().delete(key.partitionKey(), key.rowKey(), etag), key);
    }

    /** Whether another client has changed, inserted or removed the entity since it was read. */
    static boolean raced(Throwable error) {
        return error instanceof PreconditionFailedException
                || (error instanceof ConflictException conflict
                        && !(conflict.getCause() instanceof TransactionFailedException))
                || (error instanceof NotFoundException missing
                        && !"TableNotFound".equals(missing.failure().errorCode()));
    }

    private Throwable told(TransactionFailedException e, List<Step> steps) {
        Throwable cause = Objects.requireNonNull(e.getCause());
        if (e.index() == 0) {
            return cause;
        }
        IndexKey row = steps.get(e.index() - 1).row;
        return row.unique() && cause instanceof ConflictException taken
                ? new ConflictException(
                        taken.failure()
                                .saying("; the unique index " + row.index().name()
                                        + " has this value already, under the row key " + row.rowKey()),
                        e)
                : e;
    }
}
