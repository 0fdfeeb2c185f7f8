package io.stowline.table;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.TransactionFailedException;
import io.stowline.table.internal.EncodedOperation;
import io.stowline.table.internal.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The change of one entity with its index rows in the same partition: one transaction. It takes for granted that the index rows are
 * there that should be; where the service says that one is missing, it looks and makes the transaction anew. Immutable.
 */
final class IndexedWrite<T> {

    /** How often rows may go missing under it. */
    private static final int MOST_TRIES = 5;

    private final IndexedScope<T> scope;
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
            IndexedScope<T> scope,
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

    Mono<Written> send() {
        return Mono.defer(() -> send(trusting(), MOST_TRIES - 1));
    }

    private Mono<Written> send(List<Step> steps, int more) {
        return commit(steps)
                .map(written -> written.get(0))
                .onErrorResume(
                        TransactionFailedException.class,
                        e -> more > 0 && misses(e)
                                ? looking().flatMap(found -> send(found, more - 1))
                                : Mono.error(told(e, steps)));
    }

    private Mono<List<Written>> commit(List<Step> steps) {
        TransactionPlan<T> plan = new TransactionPlan<>(scope.primary(), entity.partitionKey());
        plan.add(entity);
        steps.forEach(step -> plan.add(step.operation));
        return plan.delivered();
    }

    private static boolean misses(TransactionFailedException e) {
        return e.index() > 0
                && (e.getCause() instanceof NotFoundException || e.getCause() instanceof PreconditionFailedException);
    }

    /** The steps if all rows are as they should be. A row that somebody else may have is never taken from them: it is made. */
    private List<Step> trusting() {
        List<Step> steps = new ArrayList<>();
        fresh.forEach(key -> steps.add(written(key, key.unique() ? Verb.INSERT : Verb.INSERT_OR_REPLACE)));
        kept.forEach(key -> steps.add(written(key, key.unique() ? Verb.UPDATE : Verb.INSERT_OR_REPLACE)));
        stale.forEach(key -> steps.add(removed(key, "*")));
        return steps;
    }

    private Step written(IndexKey key, Verb verb) {
        T copied = Objects.requireNonNull(value, "a copy of nothing");
        return new Step(scope.copy(verb, key, copied, verb == Verb.UPDATE ? "*" : null), key);
    }

    private Step removed(IndexKey key, String ifMatch) {
        return new Step(scope.encoder().delete(key.partitionKey(), key.rowKey(), ifMatch), key);
    }

    /** The steps by what is there. */
    private Mono<List<Step>> looking() {
        return Flux.concat(Flux.fromIterable(kept), Flux.fromIterable(stale))
                .flatMap(key ->
                        scope.rows().find(key.partitionKey(), key.rowKey()).map(row -> Map.entry(key, row)))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue, HashMap::new)
                .map(this::knowing);
    }

    private List<Step> knowing(Map<IndexKey, Stored<RawRow>> found) {
        List<Step> steps = new ArrayList<>();
        fresh.forEach(key -> steps.add(written(key, key.unique() ? Verb.INSERT : Verb.INSERT_OR_REPLACE)));
        for (IndexKey key : kept) {
            boolean update = key.unique() && own(found.get(key));
            steps.add(written(key, update ? Verb.UPDATE : key.unique() ? Verb.INSERT : Verb.INSERT_OR_REPLACE));
        }
        for (IndexKey key : stale) {
            Optional.ofNullable(found.get(key)).filter(this::own).ifPresent(row -> steps.add(removed(key, row.etag())));
        }
        return steps;
    }

    private boolean own(@Nullable Stored<RawRow> row) {
        return row != null && entity.rowKey().equals(row.value().indexedRow());
    }

    /** Whether somebody else has changed, made or removed the entity since it was read. */
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
