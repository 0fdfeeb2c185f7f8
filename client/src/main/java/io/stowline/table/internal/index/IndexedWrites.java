package io.stowline.table.internal.index;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.InvalidKeyException;
import io.stowline.table.EntityKey;
import io.stowline.table.IndexedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.index.IndexedContext.Examined;
import io.stowline.table.internal.index.IndexedWrite.EntityChange;
import io.stowline.table.internal.index.IndexedWrite.WritePath;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.operation.LaneTransaction;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.transport.internal.concurrent.AwaitedCode;
import io.stowline.transport.internal.concurrent.CancelledCalls;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.outcome.StagedStep;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A writer of entities with their index rows. What stands elsewhere is written before the entity if it is needed and removed after it if it
 * is not, so that an entity is found by its indexes wherever the writer ends. Thread-safe.
 */
public final class IndexedWrites<T> {

    private static final Logger LOG = LoggerFactory.getLogger(IndexedTable.class);

    private static final String NOTHING_WRITTEN =
            "nothing of the entity was written, and at most references to it are left";
    private static final int MAX_TRIES = 5;
    private static final int AT_A_TIME = 8;

    private final IndexedContext<T> indexedContext;
    private final WritePath path;
    private final IndexedChanges<T> changes;

    public IndexedWrites(IndexedContext<T> context) {
        this(context, new SeparateWrites<>(context));
    }

    IndexedWrites(IndexedContext<T> context, WritePath path) {
        this.indexedContext = context;
        this.path = path;
        this.changes = new IndexedChanges<>(context, path);
    }

    public Mono<WriteResult> insert(T value) {
        return whole(EntityVerb.INSERT, value, write(TableOperation.insert(value)));
    }

    public Mono<WriteResult> insertOrReplace(T value) {
        return whole(EntityVerb.INSERT_OR_REPLACE, value, write(TableOperation.insertOrReplace(value)));
    }

    public Mono<WriteResult> replace(StoredEntity<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return whole(EntityVerb.REPLACE, stored.value(), Mono.defer(() -> {
            refuseOtherKeys(readVersion(stored));
            return changes.of(TableOperation.replace(stored)).flatMap(this::alone);
        }));
    }

    public Mono<WriteResult> delete(StoredEntity<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return whole(
                EntityVerb.DELETE,
                stored.value(),
                Mono.defer(() -> alone(changes.deleted(readVersion(stored), stored.etag()))));
    }

    /** The requests for the entity and its index rows are one operation. */
    private <R> Mono<R> whole(EntityVerb verb, T value, Mono<R> work) {
        return indexedContext.asOperation(verb.label(), () -> resource(value), work);
    }

    private String resource(T value) {
        EntityCodec<T> codec = indexedContext.primary().codec();
        try {
            return TableRequests.resource(indexedContext.table(), codec.partitionKey(value), codec.rowKey(value));
        } catch (RuntimeException refused) {
            return indexedContext.table();
        }
    }

    /** Does what a writer is given. The old values that it needs are read if they are not known. */
    Mono<WriteResult> write(TableOperation<T, ?> operation) {
        return write(operation, null);
    }

    /**
     * Does what a writer is given.
     *
     * @param log the log of the operation, or {@code null} without a journal
     */
    public Mono<WriteResult> write(TableOperation<T, ?> operation, @Nullable SequenceLog<T> log) {
        return write(operation, log, MAX_TRIES - 1);
    }

    private Mono<WriteResult> write(TableOperation<T, ?> operation, @Nullable SequenceLog<T> log, int more) {
        return change(operation, log).flatMap(change -> alone(change, log)
                .onErrorResume(e ->
                        more > 0 && again(operation, change, e) ? write(operation, log, more - 1) : Mono.error(e)));
    }

    private Mono<EntityChange> change(TableOperation<T, ?> operation, @Nullable SequenceLog<T> log) {
        Mono<EntityChange> change = changes.of(operation);
        return log == null ? change : change.map(found -> found.withBefore(log.formerReferences()));
    }

    /** Puts the references of an entity right that is written already. */
    public Mono<Void> finished(TableOperation<T, ?> operation, SequenceLog<T> log) {
        return change(operation, log).flatMap(change -> write(change.freshReferences())
                .then(stale(change))
                .flatMap(found -> change.entity().verb() == EntityVerb.INSERT
                        ? Mono.<Void>empty()
                        : after(new StaleReferences(change, found), log)));
    }

    /** Returns an entity as it is now; nothing if there is none. */
    public Mono<Examined<T>> examined(EntityKey key) {
        return path.readBack(indexedContext.examine(key));
    }

    private Mono<WriteResult> alone(EntityChange change) {
        return alone(change, null);
    }

    private Mono<WriteResult> alone(EntityChange change, @Nullable SequenceLog<T> log) {
        return together(List.of(change), log)
                .map(written -> written.get(0))
                .onErrorMap(TransactionFailedException.class, e -> Objects.requireNonNullElse(e.getCause(), e));
    }

    /** Returns whether another writer was faster and the operation is for any version. */
    static boolean again(TableOperation<?, ?> operation, EntityChange change, Throwable e) {
        boolean absent = IndexedChanges.isAbsent(change) && e instanceof NotFoundException;
        return change.context().indexed() && IndexedChanges.ofAnyVersion(operation) && !absent && raced(e);
    }

    /** Returns whether another client has changed, inserted or removed the entity since it was read. */
    public static boolean raced(Throwable error) {
        return error instanceof PreconditionFailedException
                || (error instanceof ConflictException conflict
                        && !(conflict.getCause() instanceof TransactionFailedException))
                || (error instanceof NotFoundException missing
                        && !"TableNotFound".equals(missing.failure().errorCode()));
    }

    /**
     * Writes entities of one partition, with all of their index rows: new references, the transaction, and then the
     * removal of wrong rows.
     */
    Mono<List<WriteResult>> together(List<EntityChange> all) {
        return together(all, null);
    }

    private Mono<List<WriteResult>> together(List<EntityChange> all, @Nullable SequenceLog<T> log) {
        Mono<Void> references = write(
                all.stream().flatMap(each -> each.freshReferences().stream()).toList());
        return StagedStep.of(NOTHING_WRITTEN, references)
                .then(Flux.fromIterable(all)
                        .concatMap(each -> stale(each).map(found -> new StaleReferences(each, found)))
                        .collectList())
                .flatMap(stale -> log == null ? Mono.just(stale) : noted(stale, log))
                .flatMap(stale -> new IndexedWrite<>(indexedContext, path, all)
                        .send()
                        .doOnNext(written -> {
                            if (log != null) {
                                log.written(written.get(0));
                            }
                        })
                        .flatMap(written -> Flux.fromIterable(stale)
                                .flatMap(each -> after(each, log), AT_A_TIME)
                                .then()
                                .transformDeferredContextual((rest, context) -> noted(context, all, rest))
                                .thenReturn(written)));
    }

    private static Mono<List<StaleReferences>> noted(List<StaleReferences> stale, SequenceLog<?> log) {
        return log.losing(stale.stream()
                        .flatMap(each -> each.change.staleReferences().stream())
                        .toList())
                .thenReturn(stale);
    }

    /** An interrupt during the rest then reports that the entities are written. */
    private Mono<Void> noted(ContextView context, List<EntityChange> all, Mono<Void> rest) {
        EncodedOperation first = all.get(0).entity();
        String more = all.size() == 1 ? "" : " and " + (all.size() - 1) + " more";
        CancelledCalls.carriedOut(context, () -> FailureFacts.of(
                        first.verb().label(),
                        TableRequests.resource(indexedContext.table(), first.partitionKey(), first.rowKey()) + more)
                .tried(1, 0, Duration.ZERO)
                .because(
                        "the transaction with the copies is carried out",
                        "the waiting thread was interrupted before all references were put right"));
        return rest;
    }

    /** The references that an entity loses, in the version that existed before it was written. */
    private Mono<List<StoredEntity<IndexedRow>>> stale(EntityChange change) {
        return Flux.fromIterable(change.staleReferences())
                .flatMap(
                        key -> path.readBack(
                                indexedContext.own(key, change.entity().rowKey())),
                        AT_A_TIME)
                .collectList();
    }

    private record StaleReferences(EntityChange change, List<StoredEntity<IndexedRow>> found) {}

    /**
     * Removes a reference only in the version that existed before: a later writer of the same reference rewrites it. An
     * insert of the same keys may have written it earlier than that, and its entity later. So the entity is read at the
     * end, and an insert writes its references once more: a delete of an earlier entity may have read it before they
     * existed, and remove them now.
     */
    private Mono<Void> after(StaleReferences stale, @Nullable SequenceLog<T> log) {
        EntityChange change = stale.change;
        if (change.entity().verb() == EntityVerb.INSERT) {
            return after(change.entity(), change.freshReferences(), this::write, log);
        }
        return after(change.entity(), stale.found, this::remove, log)
                .then(
                        stale.found.isEmpty()
                                ? Mono.empty()
                                : restore(change.entity(), restored(change, change.staleReferences()), log));
    }

    private Mono<Void> restored(EntityChange change, List<IndexKey> removed) {
        EncodedOperation entity = change.entity();
        return path.readBack(change.context().keys(entity.partitionKey(), entity.rowKey()))
                .map(keys -> change.references(
                        keys.stream().filter(removed::contains).toList()))
                .flatMap(this::write);
    }

    private Mono<Void> write(List<IndexedRow> references) {
        return Flux.fromIterable(references).flatMap(this::write, AT_A_TIME).then();
    }

    private Mono<WriteResult> write(IndexedRow reference) {
        return path.reference(indexedContext.raw(EntityVerb.INSERT_OR_REPLACE, reference, null));
    }

    /** The entity is written: the end of these rows does not change that. */
    private <R> Mono<Void> after(
            EncodedOperation entity,
            List<R> references,
            Function<R, Mono<WriteResult>> work,
            @Nullable SequenceLog<T> log) {
        return Flux.fromIterable(references)
                .flatMap(row -> restore(entity, work.apply(row), log), AT_A_TIME)
                .then();
    }

    /** Leaves rows that cannot be put right to a repair; with a journal the operation goes on until they are. */
    private <R> Mono<R> restore(EncodedOperation entity, Mono<R> work, @Nullable SequenceLog<T> log) {
        return log == null ? work.onErrorResume(e -> left(entity, e)) : work;
    }

    /** A reference that has changed or gone since its read belongs to another writer. */
    private Mono<WriteResult> remove(StoredEntity<IndexedRow> reference) {
        IndexedRow row = reference.value();
        return path.reference(indexedContext.encoder().delete(row.partitionKey(), row.rowKey(), reference.etag()))
                .onErrorResume(e -> raced(e) || isGone(e), e -> Mono.empty());
    }

    /** True if the response to a removal was lost, and its target is gone. */
    private static boolean isGone(Throwable e) {
        return e instanceof OutcomeUnknownException && e.getCause() instanceof NotFoundException;
    }

    private <R> Mono<R> left(EncodedOperation entity, Throwable e) {
        LOG.warn(
                "{} of {}: the entity is written, but its index rows elsewhere are left for a repair: {}",
                entity.verb().label(),
                indexedContext.table(),
                e.getMessage());
        return Mono.empty();
    }

    private static <T> StoredEntity<T> readVersion(StoredEntity<T> stored) {
        if (stored.etag().equals(IndexedChanges.ANY_VERSION)) {
            throw new IllegalArgumentException(
                    "the ETag is *: what index rows an entity has is known only of the version"
                            + " that was read; use insertOrReplace for whatever version there is");
        }
        return stored;
    }

    private void refuseOtherKeys(StoredEntity<T> stored) {
        EntityKey before = key(stored.before().orElse(stored.value()));
        EntityKey after = key(stored.value());
        if (!before.equals(after)) {
            throw new InvalidKeyException(
                    (before.partitionKey().equals(after.partitionKey()) ? "RowKey" : "PartitionKey")
                            + ": the changed entity has another one than that which was read; delete the one and"
                            + " insert the other");
        }
    }

    private EntityKey key(T value) {
        EntityCodec<T> codec = indexedContext.primary().codec();
        return new EntityKey(codec.partitionKey(value), codec.rowKey(value));
    }

    /** A path that sends one request after the other. */
    record SeparateWrites<T>(IndexedContext<T> context) implements WritePath {

        @Override
        public Mono<List<WriteResult>> commit(List<EncodedOperation> operations) {
            return Mono.defer(() -> AwaitedCode.behind(new LaneTransaction(context.primary(), operations).patient()));
        }

        @Override
        public Mono<WriteResult> reference(EncodedOperation operation) {
            return AwaitedCode.behind(
                    context.primary().service().delivered(context.primary().write(operation)));
        }

        @Override
        public <R> Mono<R> readBack(Mono<R> readBack) {
            return readBack;
        }
    }
}
