package io.stowline.table;

import io.stowline.error.PreconditionFailedException;
import io.stowline.table.IndexedContext.Examined;
import io.stowline.table.IndexedWrite.Copying;
import io.stowline.table.IndexedWrite.WritePath;
import io.stowline.table.TableIndex.IndexKey;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
    private static final String ANY_VERSION = "*";
    private static final Copying NOTHING = (verb, key, ifMatch) -> {
        throw new IllegalStateException("a copy of nothing");
    };

    /** No version has it, so that the service refuses what is bound to it: 404 without an entity, 412 with one. */
    private static final String NO_VERSION = "W/\"datetime'1601-01-01T00%3A00%3A00.0000000Z'\"";

    private final IndexedContext<T> scope;
    private final WritePath path;

    IndexedWrites(IndexedContext<T> scope) {
        this(scope, new SeparateWrites<>(scope));
    }

    IndexedWrites(IndexedContext<T> scope, WritePath path) {
        this.scope = scope;
        this.path = path;
    }

    /** Does what a writer is given. The old values that it needs are read if they are not known. */
    Mono<EntityWriteResult> write(TableOperation<T, ?> operation) {
        StoredEntity<T> stored = operation.stored();
        EncodedOperation entity = operation.encode(scope.primary());
        if (stored == null && operation.verb() == EntityVerb.DELETE) {
            return deleteAny(entity, MOST_TRIES - 1);
        }
        T value = stored == null ? Objects.requireNonNull(operation.value(), "value") : stored.value();
        String etag = stored == null ? ANY_VERSION : stored.etag();
        boolean any = etag.equals(ANY_VERSION);
        return switch (operation.verb()) {
            case INSERT -> insert(value);
            case INSERT_OR_REPLACE -> insertOrReplace(value);
            case INSERT_OR_MERGE -> insertOrMerge(value, MOST_TRIES - 1);
            case REPLACE -> any ? replaceAny(value, MOST_TRIES - 1) : replaceVersion(entity, stored);
            case MERGE -> any ? mergeAny(value, MOST_TRIES - 1) : mergeVersion(entity, value, etag);
            case DELETE -> any ? deleteAny(entity, MOST_TRIES - 1) : deleteVersion(entity, stored);
        };
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
                    .then(new IndexedWrite<>(scope, path, entity, copies(value), List.of(), after).send())
                    .flatMap(written -> after(entity, references, this::write).thenReturn(written));
        });
    }

    Mono<EntityWriteResult> insertOrReplace(T value) {
        Objects.requireNonNull(value, "value");
        return insertOrReplace(value, MOST_TRIES - 1);
    }

    private Mono<EntityWriteResult> insertOrReplace(T value, int more) {
        return retried(
                found(value).flatMap(found -> found.isPresent() ? replace(found.get(), value, true) : insert(value)),
                more,
                () -> insertOrReplace(value, more - 1));
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
            EncodedOperation entity = scope.primary().encode(EntityVerb.REPLACE, stored.with(changed));
            refuseOtherKeys(stored.value(), entity);
            return change(entity, copies(changed), before, scope.keys(changed), allReferences);
        });
    }

    /** An entity that is not there, or has another version, is the service's to refuse. */
    private Mono<EntityWriteResult> replaceVersion(EncodedOperation entity, @Nullable StoredEntity<T> stored) {
        StoredEntity<T> changed = Objects.requireNonNull(stored, "stored");
        T known = changed.before();
        if (known != null) {
            return replace(StoredEntity.of(known, changed.etag()), changed.value());
        }
        return found(changed.value())
                .flatMap(found ->
                        change(entity, copies(changed.value()), keys(found), scope.keys(changed.value()), false));
    }

    private Mono<EntityWriteResult> replaceAny(T value, int more) {
        Supplier<Mono<EntityWriteResult>> again = () -> replaceAny(value, more - 1);
        return found(value)
                .flatMap(found -> found.isPresent()
                        ? retried(replace(found.get(), value, true), more, again)
                        : absent(
                                scope.primary().encode(EntityVerb.REPLACE, StoredEntity.of(value, NO_VERSION)),
                                more,
                                again));
    }

    private Mono<EntityWriteResult> insertOrMerge(T value, int more) {
        return retried(
                examined(value)
                        .flatMap(found -> found.isPresent()
                                ? merge(found.get(), value, found.get().stored().etag(), true)
                                : insert(value)),
                more,
                () -> insertOrMerge(value, more - 1));
    }

    private Mono<EntityWriteResult> mergeVersion(EncodedOperation entity, T value, String etag) {
        return examined(value)
                .flatMap(found ->
                        found.isPresent() ? merge(found.get(), value, etag, false) : path.commit(entity, List.of()));
    }

    private Mono<EntityWriteResult> mergeAny(T value, int more) {
        Supplier<Mono<EntityWriteResult>> again = () -> mergeAny(value, more - 1);
        return examined(value)
                .flatMap(found -> found.isPresent()
                        ? retried(merge(found.get(), value, found.get().stored().etag(), true), more, again)
                        : absent(
                                scope.primary().encode(EntityVerb.MERGE, StoredEntity.of(value, NO_VERSION)),
                                more,
                                again));
    }

    /** What the copies hold is what stands there with what is set. */
    private Mono<EntityWriteResult> merge(Examined<T> found, T value, String etag, boolean allReferences) {
        EncodedOperation entity = scope.primary().encode(EntityVerb.MERGE, StoredEntity.of(value, etag));
        IndexedRow merged = found.raw().with(RowDecoder.encoded(scope.table(), entity.content(), IndexedRowCodec.ROWS));
        EncodedOperation whole = scope.raw(EntityVerb.INSERT, merged, null);
        T after = RowDecoder.encoded(
                scope.table(), whole.content(), scope.primary().codec());
        return change(
                entity,
                (verb, key, ifMatch) -> scope.raw(verb, merged.copy(key), ifMatch),
                scope.keys(found.stored().value()),
                scope.keys(after),
                allReferences);
    }

    Mono<EntityWriteResult> delete(StoredEntity<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return Mono.defer(() -> {
            List<IndexKey> before = scope.keys(readVersion(stored));
            return change(scope.primary().encodeDelete(stored), NOTHING, before, List.of(), false);
        });
    }

    private Mono<EntityWriteResult> deleteVersion(EncodedOperation entity, @Nullable StoredEntity<T> stored) {
        T known = Objects.requireNonNull(stored, "stored").before();
        Mono<List<IndexKey>> before =
                known == null ? found(stored.value()).map(this::keys) : Mono.fromSupplier(() -> scope.keys(known));
        return before.flatMap(keys -> change(entity, NOTHING, keys, List.of(), false));
    }

    private Mono<EntityWriteResult> deleteAny(EncodedOperation entity, int more) {
        Supplier<Mono<EntityWriteResult>> again = () -> deleteAny(entity, more - 1);
        return found(entity.partitionKey(), entity.rowKey())
                .flatMap(found -> found.isPresent()
                        ? retried(delete(found.get()), more, again)
                        : absent(
                                scope.encoder().delete(entity.partitionKey(), entity.rowKey(), NO_VERSION),
                                more,
                                again));
    }

    /** Has the service say that there is no entity. If there is one by now, it was inserted after the look. */
    private Mono<EntityWriteResult> absent(EncodedOperation entity, int more, Supplier<Mono<EntityWriteResult>> again) {
        return path.commit(entity, List.of())
                .onErrorResume(PreconditionFailedException.class, e -> more > 0 ? again.get() : Mono.error(e));
    }

    /** Again if another writer was faster. */
    private static Mono<EntityWriteResult> retried(
            Mono<EntityWriteResult> write, int more, Supplier<Mono<EntityWriteResult>> again) {
        return write.onErrorResume(e -> more > 0 && IndexedWrite.raced(e) ? again.get() : Mono.error(e));
    }

    private Mono<Optional<StoredEntity<T>>> found(T value) {
        return Mono.defer(() -> found(
                scope.primary().codec().partitionKey(value),
                scope.primary().codec().rowKey(value)));
    }

    private Mono<Optional<StoredEntity<T>>> found(String partitionKey, String rowKey) {
        return path.look(scope.find(partitionKey, rowKey)).map(Optional::of).defaultIfEmpty(Optional.empty());
    }

    private Mono<Optional<Examined<T>>> examined(T value) {
        return Mono.defer(() -> path.look(scope.examine(new EntityKey(
                        scope.primary().codec().partitionKey(value),
                        scope.primary().codec().rowKey(value)))))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty());
    }

    private List<IndexKey> keys(Optional<StoredEntity<T>> found) {
        return found.map(entity -> scope.keys(entity.value())).orElse(List.of());
    }

    private Copying copies(T value) {
        return (verb, key, ifMatch) -> scope.copy(verb, key, value, ifMatch);
    }

    /** New references, the entity with its copies, and then what is wrong by now. */
    private Mono<EntityWriteResult> change(
            EncodedOperation entity,
            Copying copying,
            List<IndexKey> before,
            List<IndexKey> after,
            boolean allReferences) {
        List<IndexKey> fresh = after.stream()
                .filter(key -> allReferences || !before.contains(key))
                .toList();
        return write(references(entity, fresh))
                .then(change(new IndexedWrite<>(scope, path, entity, copying, before, after), entity, before, after));
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
                .flatMap(key -> path.look(scope.own(key, entity.rowKey())), AT_A_TIME)
                .collectList()
                .flatMap(found -> write.send().flatMap(written -> after(entity, found, this::remove)
                        .then(found.isEmpty() ? Mono.empty() : restored(entity, stale))
                        .thenReturn(written)));
    }

    private Mono<Void> restored(EncodedOperation entity, List<IndexKey> removed) {
        return path.look(scope.find(entity.partitionKey(), entity.rowKey()))
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
        return Flux.fromIterable(references).flatMap(this::write, AT_A_TIME).then();
    }

    private Mono<EntityWriteResult> write(IndexedRow reference) {
        return path.reference(scope.raw(EntityVerb.INSERT_OR_REPLACE, reference, null));
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
        IndexedRow row = reference.value();
        return path.reference(scope.encoder().delete(row.partitionKey(), row.rowKey(), reference.etag()))
                .onErrorResume(IndexedWrite::raced, e -> Mono.empty());
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
        if (stored.etag().equals(ANY_VERSION)) {
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

    /** One request after the other. */
    private record SeparateWrites<T>(IndexedContext<T> scope) implements WritePath {

        @Override
        public Mono<EntityWriteResult> commit(EncodedOperation entity, List<EncodedOperation> rows) {
            return Mono.defer(() -> {
                TransactionPlan<T> plan = new TransactionPlan<>(scope.primary(), entity.partitionKey());
                plan.add(entity);
                rows.forEach(plan::add);
                return plan.patient().map(written -> written.get(0));
            });
        }

        @Override
        public Mono<EntityWriteResult> reference(EncodedOperation operation) {
            return scope.primary().service().delivered(scope.primary().write(operation));
        }

        @Override
        public <R> Mono<R> look(Mono<R> look) {
            return look;
        }
    }
}
