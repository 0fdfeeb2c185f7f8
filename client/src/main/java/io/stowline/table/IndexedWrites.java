package io.stowline.table;

import io.stowline.table.TableIndex.IndexKey;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes entities with their index rows. What stands elsewhere is written before the entity if it is needed and removed after it if it
 * is not, so that an entity is found by its indexes wherever the writer ends. Thread-safe.
 */
final class IndexedWrites<T> {

    private static final Logger LOG = LoggerFactory.getLogger(IndexedTable.class);

    private static final int MOST_TRIES = 5;
    private static final int AT_A_TIME = 8;

    private final IndexedContext<T> scope;
    private final ReactiveTable<IndexedRow> rows;

    IndexedWrites(IndexedContext<T> scope) {
        this.scope = scope;
        this.rows = scope.rows();
    }

    Mono<EntityWriteResult> insert(T value) {
        Objects.requireNonNull(value, "value");
        return Mono.defer(() -> {
            List<IndexKey> after = scope.keys(value);
            EncodedOperation entity = scope.primary().encode(EntityVerb.INSERT, value);
            List<IndexedRow> references = references(entity, after);
            // A delete of an earlier entity with these keys may have looked before this insert wrote its references,
            // and remove them once
            // its own transaction is done: written again, they have another version than the one it looked at.
            return write(references)
                    .then(new IndexedWrite<>(scope, entity, value, List.of(), after).send())
                    .flatMap(written ->
                            after(entity, references, rows::insertOrReplace).thenReturn(written));
        });
    }

    Mono<EntityWriteResult> insertOrReplace(T value) {
        Objects.requireNonNull(value, "value");
        return insertOrReplace(value, MOST_TRIES - 1);
    }

    private Mono<EntityWriteResult> insertOrReplace(T value, int more) {
        return Mono.defer(() -> scope.find(
                        scope.primary().codec().partitionKey(value),
                        scope.primary().codec().rowKey(value)))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(found -> found.isPresent() ? replace(found.get(), value, true) : insert(value))
                .onErrorResume(
                        e -> more > 0 && IndexedWrite.raced(e) ? insertOrReplace(value, more - 1) : Mono.error(e));
    }

    Mono<EntityWriteResult> replace(StoredEntity<T> stored, T changed) {
        return replace(stored, changed, false);
    }

    /** An entity that was written without its index rows has copies afterwards; it has its references only if all are written. */
    private Mono<EntityWriteResult> replace(StoredEntity<T> stored, T changed, boolean allReferences) {
        Objects.requireNonNull(stored, "stored");
        Objects.requireNonNull(changed, "changed");
        return Mono.defer(() -> {
            List<IndexKey> before = scope.keys(readVersion(stored));
            List<IndexKey> after = scope.keys(changed);
            EncodedOperation entity = scope.primary().encode(EntityVerb.REPLACE, stored.with(changed));
            refuseOtherKeys(stored.value(), entity);
            List<IndexKey> fresh = after.stream()
                    .filter(key -> allReferences || !before.contains(key))
                    .toList();
            return write(references(entity, fresh))
                    .then(change(new IndexedWrite<>(scope, entity, changed, before, after), entity, before, after));
        });
    }

    Mono<EntityWriteResult> delete(StoredEntity<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return Mono.defer(() -> {
            List<IndexKey> before = scope.keys(readVersion(stored));
            EncodedOperation entity = scope.primary().encodeDelete(stored);
            return change(new IndexedWrite<>(scope, entity, null, before, List.of()), entity, before, List.of());
        });
    }

    /**
     * Removes a reference only in the version that existed before: a later writer of the same reference rewrites it. An insert of the same
     * keys may have written it earlier than that, and its entity later. So there is a look at the entity at the end.
     */
    private Mono<EntityWriteResult> change(
            IndexedWrite<T> write, EncodedOperation entity, List<IndexKey> before, List<IndexKey> after) {
        List<IndexKey> stale = before.stream()
                .filter(key -> key.elsewhere() && !after.contains(key))
                .toList();
        return Flux.fromIterable(stale)
                .flatMap(key -> scope.own(key, entity.rowKey()), AT_A_TIME)
                .collectList()
                .flatMap(found -> write.send().flatMap(written -> after(entity, found, this::remove)
                        .then(found.isEmpty() ? Mono.empty() : restored(entity, stale))
                        .thenReturn(written)));
    }

    private Mono<Void> restored(EncodedOperation entity, List<IndexKey> removed) {
        return scope.find(entity.partitionKey(), entity.rowKey())
                .map(found -> references(
                        entity,
                        scope.keys(found.value()).stream()
                                .filter(removed::contains)
                                .toList()))
                .flatMap(this::write)
                .onErrorResume(e -> left(entity, e));
    }

    private static List<IndexedRow> references(EncodedOperation entity, List<IndexKey> keys) {
        return keys.stream()
                .filter(IndexKey::elsewhere)
                .map(key -> IndexedRow.reference(key, entity.rowKey()))
                .toList();
    }

    private Mono<Void> write(List<IndexedRow> references) {
        return Flux.fromIterable(references)
                .flatMap(rows::insertOrReplace, AT_A_TIME)
                .then();
    }

    /** The entity is written: whatever becomes of these rows does not change that. */
    private <R> Mono<Void> after(
            EncodedOperation entity, List<R> references, Function<R, Mono<EntityWriteResult>> work) {
        return Flux.fromIterable(references)
                .flatMap(row -> work.apply(row).onErrorResume(e -> left(entity, e)), AT_A_TIME)
                .then();
    }

    /** A reference that has changed or gone since it was read belongs to another writer. */
    private Mono<EntityWriteResult> remove(StoredEntity<IndexedRow> reference) {
        return rows.delete(reference).onErrorResume(IndexedWrite::raced, e -> Mono.empty());
    }

    private <R> Mono<R> left(EncodedOperation entity, Throwable e) {
        LOG.warn(
                "{} of {}: the entity is written, but its index rows elsewhere are left for a repair: {}",
                entity.verb().label(),
                scope.table(),
                e.getMessage());
        return Mono.empty();
    }

    private static <T> T readVersion(StoredEntity<T> stored) {
        if (stored.etag().equals("*")) {
            throw new IllegalArgumentException(
                    "the ETag is *: what index rows an entity has is known only of the version"
                            + " that was read; use insertOrReplace for whatever version there is");
        }
        return stored.value();
    }

    private void refuseOtherKeys(T before, EncodedOperation after) {
        String partitionKey = scope.primary().codec().partitionKey(before);
        String rowKey = scope.primary().codec().rowKey(before);
        if (!partitionKey.equals(after.partitionKey()) || !rowKey.equals(after.rowKey())) {
            throw new IllegalArgumentException("replace of " + scope.table() + "(" + partitionKey + "," + rowKey
                    + "): the changed entity has other keys, (" + after.partitionKey() + "," + after.rowKey()
                    + "); delete the one and insert the other");
        }
    }
}
