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
    private final WritePath path;
    private final EncodedOperation entity;
    private final Copying copying;
    private final List<IndexKey> kept;
    private final List<IndexKey> fresh;
    private final List<IndexKey> stale;

    /**
     * Prepares a change.
     *
     * @param path the way of the transaction
     * @param entity what is done to the entity
     * @param copying makes copies of the entity as it is afterwards
     * @param before its index rows before
     * @param after its index rows afterwards
     */
    IndexedWrite(
            IndexedContext<T> scope,
            WritePath path,
            EncodedOperation entity,
            Copying copying,
            List<IndexKey> before,
            List<IndexKey> after) {
        this.scope = scope;
        this.path = path;
        this.entity = entity;
        this.copying = copying;
        this.kept =
                after.stream().filter(key -> here(key) && before.contains(key)).toList();
        this.fresh =
                after.stream().filter(key -> here(key) && !before.contains(key)).toList();
        this.stale =
                before.stream().filter(key -> here(key) && !after.contains(key)).toList();
    }

    /** Makes the copy of an entity for one of its index rows. */
    interface Copying {
        EncodedOperation copy(EntityVerb verb, IndexKey key, @Nullable String ifMatch);
    }

    /** How the requests of a write go: one after the other, or with those of other writes. */
    interface WritePath {

        /** An entity with the rows beside it, as one transaction. */
        Mono<EntityWriteResult> commit(EncodedOperation entity, List<EncodedOperation> rows);

        /** A row elsewhere. */
        Mono<EntityWriteResult> reference(EncodedOperation operation);

        /** A look before a write. */
        <R> Mono<R> look(Mono<R> look);
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
        return path.commit(entity, steps.stream().map(Step::operation).toList())
                .onErrorResume(
                        TransactionFailedException.class,
                        e -> more > 0 && misses(e) ? send(key -> true, more - 1) : Mono.error(told(e, steps)));
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
        return path.look(scope.own(key, entity.rowKey())).map(row -> Map.entry(key, row.etag()));
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
        if (!key.unique()) {
            return new Step(copying.copy(EntityVerb.INSERT_OR_REPLACE, key, null), key);
        }
        return new Step(copying.copy(etag == null ? EntityVerb.INSERT : EntityVerb.REPLACE, key, etag), key);
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
