package io.stowline.table.internal.index;

import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.index.IndexedContext.Examined;
import io.stowline.table.internal.index.IndexedRow.IndexedRowCodec;
import io.stowline.table.internal.index.IndexedWrite.Copying;
import io.stowline.table.internal.index.IndexedWrite.EntityChange;
import io.stowline.table.internal.index.IndexedWrite.WritePath;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A planner that finds out what an operation on an entity does to its index rows: reads the entity where its values are not known. Thread-safe. */
record IndexedChanges<T>(IndexedContext<T> context, WritePath path) {

    static final String ANY_VERSION = "*";

    /**
     * A version that never exists, so that the service refuses an operation bound to it: 404 without an entity, 412
     * with one.
     */
    private static final String NO_VERSION = "W/\"datetime'1601-01-01T00%3A00%3A00.0000000Z'\"";

    private static final Copying NOTHING = (verb, key, ifMatch) -> {
        throw new IllegalStateException("a copy of nothing");
    };

    /** Returns whether it is for any version, so that another one is no reason to fail. */
    static boolean ofAnyVersion(TableOperation<?, ?> operation) {
        StoredEntity<?> stored = operation.stored();
        return EntityVerb.of(operation) != EntityVerb.INSERT
                && (stored == null || stored.etag().equals(ANY_VERSION));
    }

    /** Returns whether it is of an entity that a read did not find. */
    static boolean isAbsent(EntityChange change) {
        return NO_VERSION.equals(change.entity().ifMatch());
    }

    /** Returns the change of a row without index rows. */
    static EntityChange plain(IndexedContext<?> context, EncodedOperation entity) {
        return new EntityChange(context, entity, NOTHING, List.of(), List.of(), false);
    }

    Mono<EntityChange> of(TableOperation<T, ?> operation) {
        return Mono.defer(() -> {
            EncodedOperation entity = context.primary().encode(operation);
            if (!context.indexed()) {
                return Mono.just(plain(context, entity));
            }
            EntityKey key = new EntityKey(entity.partitionKey(), entity.rowKey());
            StoredEntity<T> stored = operation.stored();
            T value = stored == null ? operation.value() : stored.value();
            String etag = ofAnyVersion(operation) ? null : entity.ifMatch();
            T known = stored == null || etag == null ? null : stored.before().orElse(null);
            return switch (entity.verb()) {
                case INSERT -> Mono.just(inserted(given(value)));
                case INSERT_OR_REPLACE ->
                    found(key).map(found -> found.map(before -> replaced(before, given(value), null))
                            .orElseGet(() -> inserted(given(value))));
                case INSERT_OR_MERGE ->
                    examined(key).map(found -> found.map(before -> merged(before, given(value), null))
                            .orElseGet(() -> inserted(given(value))));
                case REPLACE ->
                    known != null
                            ? Mono.just(replaced(StoredEntity.of(known, given(etag)), given(value), etag))
                            : found(key).map(found -> found.map(before -> replaced(before, given(value), etag))
                                    .orElseGet(() -> absent(entity.verb(), key, given(value), etag)));
                case MERGE ->
                    examined(key).map(found -> found.map(before -> merged(before, given(value), etag))
                            .orElseGet(() -> absent(entity.verb(), key, given(value), etag)));
                case DELETE ->
                    known != null
                            ? Mono.just(deleted(StoredEntity.of(known, given(etag)), etag))
                            : found(key).map(found -> found.map(before -> deleted(before, etag))
                                    .orElseGet(() -> absent(entity.verb(), key, null, etag)));
            };
        });
    }

    private static <V> V given(@Nullable V value) {
        return Objects.requireNonNull(value, "value");
    }

    private Mono<Optional<StoredEntity<T>>> found(EntityKey key) {
        return path.readBack(context.find(key.partitionKey(), key.rowKey()))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty());
    }

    private Mono<Optional<Examined<T>>> examined(EntityKey key) {
        return path.readBack(context.examine(key)).map(Optional::of).defaultIfEmpty(Optional.empty());
    }

    private EntityChange inserted(T value) {
        EncodedOperation entity = context.primary().encode(EntityVerb.INSERT, value);
        return new EntityChange(context, entity, copies(value), List.of(), context.keys(value), true);
    }

    /**
     * Returns the change of a replaced entity. One that was written without its index rows has copies afterwards; it
     * has its references only if all are written.
     *
     * @param etag the version that the caller names, or {@code null} for the one that was read
     */
    EntityChange replaced(StoredEntity<T> before, T value, @Nullable String etag) {
        StoredEntity<T> changed = StoredEntity.of(value, etag == null ? before.etag() : etag);
        EncodedOperation entity = context.primary().encode(EntityVerb.REPLACE, changed);
        return new EntityChange(
                context, entity, copies(value), context.keys(before.value()), context.keys(value), etag == null);
    }

    /** The copies get the present properties with those that are set. */
    private EntityChange merged(Examined<T> found, T value, @Nullable String etag) {
        StoredEntity<T> changed =
                StoredEntity.of(value, etag == null ? found.stored().etag() : etag);
        EncodedOperation entity = context.primary().encode(EntityVerb.MERGE, changed);
        IndexedRow merged =
                found.raw().with(RowDecoder.encoded(context.table(), entity.content(), IndexedRowCodec.ROWS));
        EncodedOperation whole = context.raw(EntityVerb.INSERT, merged, null);
        T after = RowDecoder.encoded(
                context.table(), whole.content(), context.primary().codec());
        return new EntityChange(
                context,
                entity,
                (verb, key, ifMatch) -> context.raw(verb, merged.copy(key), ifMatch),
                context.keys(found.stored().value()),
                context.keys(after),
                etag == null);
    }

    EntityChange deleted(StoredEntity<T> before, @Nullable String etag) {
        T value = before.value();
        List<IndexKey> keys = context.keys(value);
        EncodedOperation entity = context.encoder()
                .delete(
                        context.primary().codec().partitionKey(value),
                        context.primary().codec().rowKey(value),
                        etag == null ? before.etag() : etag);
        return new EntityChange(context, entity, NOTHING, keys, List.of(), false);
    }

    /** Lets the service refuse an absent entity. A present one was inserted after the read. */
    private EntityChange absent(EntityVerb verb, EntityKey key, @Nullable T value, @Nullable String etag) {
        String version = etag == null ? NO_VERSION : etag;
        EncodedOperation entity = value == null
                ? context.encoder().delete(key.partitionKey(), key.rowKey(), version)
                : context.primary().encode(verb, StoredEntity.of(value, version));
        return new EntityChange(context, entity, NOTHING, List.of(), List.of(), false);
    }

    private Copying copies(T value) {
        return (verb, key, ifMatch) -> context.copy(verb, key, value, ifMatch);
    }
}
