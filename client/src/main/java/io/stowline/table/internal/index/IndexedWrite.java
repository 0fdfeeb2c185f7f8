package io.stowline.table.internal.index;

import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.InvalidKeyException;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.request.ChangeSetBody;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.transport.internal.error.ExceptionCopier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The changes of entities of one partition with their index rows there: one transaction. Rows of unique values may be another entity's and
 * are bound to the versions that were read. If the service reports that a row is missing or has changed, it reads all rows and builds
 * the transaction again. Immutable.
 *
 * @param path the way of the transaction
 * @param changes what is done to each entity
 */
record IndexedWrite<T>(IndexedContext<T> context, WritePath path, List<EntityChange> changes) {

    /** The most changes of rows under it. */
    private static final int MAX_TRIES = 5;

    /** A function that makes the copy of an entity for one of its index rows. */
    interface Copying {
        EncodedOperation copy(EntityVerb verb, IndexKey key, @Nullable String ifMatch);
    }

    /** The way of a write's requests: one after the other, or with those of other writes. */
    interface WritePath {

        /**
         * Writes an entity with the rows beside it, or several of them, as one transaction; the results of the rows may
         * be missing.
         */
        Mono<List<WriteResult>> commit(List<EncodedOperation> operations);

        /** Writes a row elsewhere. */
        Mono<WriteResult> reference(EncodedOperation operation);

        /** Runs a read before a write. */
        <R> Mono<R> readBack(Mono<R> readBack);
    }

    /**
     * The change of one entity with its index rows.
     *
     * @param context the type of the entity with its indexes
     * @param entity the operation on the entity
     * @param copying makes copies of the entity as it is afterwards
     * @param before its index rows before
     * @param after its index rows afterwards
     * @param allReferences whether those after it elsewhere are written although they were there before
     */
    record EntityChange(
            IndexedContext<?> context,
            EncodedOperation entity,
            Copying copying,
            List<IndexKey> before,
            List<IndexKey> after,
            boolean allReferences) {

        /** Returns the change of an entity that may have these further references. */
        EntityChange withBefore(Set<IndexKey> further) {
            Set<IndexKey> all = new LinkedHashSet<>(before);
            all.addAll(further);
            return new EntityChange(context, entity, copying, List.copyOf(all), after, allReferences);
        }

        private List<IndexKey> kept() {
            return here(after, before::contains);
        }

        private List<IndexKey> fresh() {
            return here(after, key -> !before.contains(key));
        }

        private List<IndexKey> stale() {
            return here(before, key -> !after.contains(key));
        }

        private static List<IndexKey> here(List<IndexKey> keys, Predicate<IndexKey> which) {
            return keys.stream()
                    .filter(key -> !key.elsewhere() && which.test(key))
                    .toList();
        }

        /** Returns the most rows beside it that are written. */
        int rows() {
            return kept().size() + fresh().size() + stale().size();
        }

        /** Returns about the bytes that it and these rows take in a transaction. */
        long bytes() {
            long bytes = ChangeSetBody.size(entity);
            for (IndexKey key : here(after, written -> true)) {
                bytes += ChangeSetBody.size(copying.copy(EntityVerb.INSERT_OR_REPLACE, key, null));
            }
            return bytes;
        }

        /** Returns the references elsewhere that the entity no longer has. */
        List<IndexKey> staleReferences() {
            return before.stream()
                    .filter(key -> key.elsewhere() && !after.contains(key))
                    .toList();
        }

        /** Returns the rows that are written elsewhere before the entity. */
        List<IndexedRow> freshReferences() {
            return references(after.stream()
                    .filter(key -> allReferences || !before.contains(key))
                    .toList());
        }

        List<IndexedRow> references(List<IndexKey> keys) {
            return keys.stream()
                    .filter(IndexKey::elsewhere)
                    .map(key -> IndexedRow.reference(key, entity.rowKey()))
                    .toList();
        }
    }

    /** An operation of the transaction, of the change with this number, with the index row that it is for. */
    private record Step(
            int change,
            EncodedOperation operation,
            @Nullable IndexKey row) {}

    /** Sends the changes, and returns the results of the entities in their order. */
    Mono<List<WriteResult>> send() {
        return send(IndexKey::unique, MAX_TRIES - 1);
    }

    /** Reads the uncertain rows: first those whose keys do not name their entity, and once one was missing, all. */
    private Mono<List<WriteResult>> send(Predicate<IndexKey> unresolved, int more) {
        return Flux.fromIterable(changes)
                .concatMap(change -> looking(change, unresolved))
                .collectList()
                .flatMap(etags -> send(steps(etags), more));
    }

    private Mono<List<WriteResult>> send(List<Step> steps, int more) {
        return path.commit(steps.stream().map(Step::operation).toList())
                .map(written -> ofEntities(steps, written))
                .onErrorResume(
                        TransactionFailedException.class,
                        e -> more > 0 && misses(e, steps)
                                ? send(key -> true, more - 1)
                                : Mono.error(reported(e, steps)));
    }

    private static List<WriteResult> ofEntities(List<Step> steps, List<WriteResult> written) {
        List<WriteResult> results = new ArrayList<>();
        for (int i = 0; i < Math.min(steps.size(), written.size()); i++) {
            if (steps.get(i).row == null) {
                results.add(written.get(i));
            }
        }
        return results;
    }

    private static boolean misses(TransactionFailedException e, List<Step> steps) {
        return steps.get(e.index()).row != null
                && (e.getCause() instanceof NotFoundException || e.getCause() instanceof PreconditionFailedException);
    }

    /** The ETags of the entity's own rows; {@code *} for the certain ones. */
    private Mono<Map<IndexKey, String>> looking(EntityChange change, Predicate<IndexKey> unresolved) {
        return Flux.fromStream(() -> Stream.concat(change.kept().stream(), change.stale().stream()))
                .flatMap(key -> unresolved.test(key) ? own(change, key) : Mono.just(Map.entry(key, "*")))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private Mono<Map.Entry<IndexKey, String>> own(EntityChange change, IndexKey key) {
        return path.readBack(context.own(key, change.entity.rowKey())).map(row -> Map.entry(key, row.etag()));
    }

    /**
     * The steps that correct the rows. A row of a unique value that is not the entity's own is made, which fails if
     * another entity has it; one that another entity of the transaction gives up is taken over.
     */
    private List<Step> steps(List<Map<IndexKey, String>> etags) {
        Map<IndexKey, String> given = new HashMap<>();
        for (int i = 0; i < changes.size(); i++) {
            Map<IndexKey, String> own = etags.get(i);
            changes.get(i).stale().stream()
                    .filter(key -> key.unique() && own.containsKey(key))
                    .forEach(key -> given.put(key, Objects.requireNonNull(own.get(key))));
        }
        Map<String, Step> removed = new LinkedHashMap<>();
        List<Step> steps = new ArrayList<>();
        Map<String, Step> written = new HashMap<>();
        for (int i = 0; i < changes.size(); i++) {
            int number = i;
            EntityChange change = changes.get(i);
            Map<IndexKey, String> own = etags.get(i);
            add(steps, written, new Step(i, change.entity, null));
            change.fresh().forEach(key -> add(steps, written, write(number, key, given.get(key))));
            change.kept().forEach(key -> add(steps, written, write(number, key, own.get(key))));
            change.stale().forEach(key -> Optional.ofNullable(own.get(key))
                    .ifPresent(etag -> removed.put(key.rowKey(), remove(number, key, etag))));
        }
        removed.keySet().removeAll(written.keySet());
        steps.addAll(removed.values());
        return steps;
    }

    private void add(List<Step> steps, Map<String, Step> written, Step step) {
        Step other = written.put(step.operation.rowKey(), step);
        IndexKey row = step.row;
        if (other != null && row != null) {
            throw new InvalidKeyException("two entities of one transaction have the same value of the unique index "
                    + row.index().name());
        }
        steps.add(step);
    }

    private Step write(int change, IndexKey key, @Nullable String etag) {
        Copying copying = changes.get(change).copying;
        if (!key.unique()) {
            return new Step(change, copying.copy(EntityVerb.INSERT_OR_REPLACE, key, null), key);
        }
        EntityVerb verb = etag == null ? EntityVerb.INSERT : EntityVerb.REPLACE;
        return new Step(change, copying.copy(verb, key, etag), key);
    }

    private Step remove(int change, IndexKey key, String etag) {
        return new Step(change, context.encoder().delete(key.partitionKey(), key.rowKey(), etag), key);
    }

    /** The failure has the number of its change, and a cause that names the entity and the fault. */
    private TransactionFailedException reported(TransactionFailedException e, List<Step> steps) {
        Step step = steps.get(e.index());
        IndexKey row = step.row;
        EncodedOperation entity = changes.get(step.change).entity;
        StorageException why = e;
        if (row == null && e.getCause() instanceof StorageException cause) {
            why = ExceptionCopier.with(cause, of(entity, cause.failure()));
        } else if (row != null && row.unique() && e.getCause() instanceof ConflictException taken) {
            why = new ConflictException(
                    of(entity, taken.failure())
                            .saying("; the unique index " + row.index().name()
                                    + " has this value already, under the row key " + row.rowKey()),
                    e);
        }
        return new TransactionFailedException(step.change, why);
    }

    private FailureDetails of(EncodedOperation entity, FailureDetails failure) {
        return failure.of(
                entity.verb().label(), TableRequests.resource(context.table(), entity.partitionKey(), entity.rowKey()));
    }
}
