package io.stowline.table.internal.index;

import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.InvalidValueException;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.index.IndexedWrite.EntityChange;
import io.stowline.table.internal.index.IndexedWrite.WritePath;
import io.stowline.table.internal.index.IndexedWrites.SeparateWrites;
import io.stowline.table.internal.operation.PlannedWrite;
import io.stowline.table.internal.request.ChangeSetBody;
import io.stowline.table.internal.writer.TableService;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An explicit transaction of rows of which some have index rows. Nothing is read before it is committed. */
final class IndexedTransaction {

    private static final int MAX_TRIES = 5;
    private static final int AT_A_TIME = 8;

    private final WritePath path;
    private final IndexedWrites<?> writes;
    private final List<PlannedWrite<?>> planned;

    /**
     * A transaction that has read nothing yet.
     *
     * @param context the table with the settings of the transaction
     * @param planned its operations, on rows of this type and of others
     */
    <T> IndexedTransaction(IndexedContext<T> context, List<PlannedWrite<?>> planned) {
        SeparateWrites<T> separate = new SeparateWrites<>(context);
        this.path = separate;
        this.writes = new IndexedWrites<>(context, separate);
        this.planned = planned;
    }

    Mono<List<WriteResult>> commit() {
        return Mono.defer(() -> {
            refuseSharedRows();
            return commit(MAX_TRIES - 1);
        });
    }

    private Mono<List<WriteResult>> commit(int more) {
        return Flux.fromIterable(planned)
                .flatMapSequential(this::change, AT_A_TIME)
                .collectList()
                .flatMap(found -> {
                    checkSize(found);
                    return writes.together(found)
                            .onErrorResume(
                                    TransactionFailedException.class,
                                    e -> more > 0 && again(found, e) ? commit(more - 1) : Mono.error(e));
                });
    }

    private <T> Mono<EntityChange> change(PlannedWrite<T> write) {
        TableOperation<T, ?> operation = write.operation();
        IndexedContext<T> rows = IndexedContext.of(write.member());
        return operation == null
                ? Mono.just(IndexedChanges.plain(rows, write.entity()))
                : new IndexedChanges<>(rows, path).of(operation);
    }

    /** True if another writer was faster, as for a single write. */
    private boolean again(List<EntityChange> found, TransactionFailedException e) {
        PlannedWrite<?> write = planned.get(e.index());
        TableOperation<?, ?> operation = write.operation();
        Throwable cause = e.getCause();
        return operation != null && cause != null && IndexedWrites.again(operation, found.get(e.index()), cause);
    }

    /** Refuses rows that another type would take for its index rows. */
    private void refuseSharedRows() {
        Map<String, String> owners = new HashMap<>();
        Set<TableIndex<?>> indexes = new HashSet<>();
        for (PlannedWrite<?> write : planned) {
            if (write.member() instanceof IndexedContext<?> indexed) {
                indexed.indexes().forEach(index -> indexed.refuseShared(index.name(), owners));
                indexes.addAll(indexed.indexes());
            }
        }
        for (PlannedWrite<?> write : planned) {
            indexes.forEach(index ->
                    index.refuse(write.entity().partitionKey(), write.entity().rowKey()));
        }
    }

    private void checkSize(List<EntityChange> found) {
        int rows = found.stream().mapToInt(EntityChange::rows).sum();
        int size = found.size() + rows;
        Supplier<String> where = () ->
                "the transaction of the partition '" + found.get(0).entity().partitionKey() + "'";
        if (size > TableService.MAX_OPERATIONS) {
            throw refused(
                    where,
                    " has " + size + " operations, " + found.size() + " for its entities and " + rows
                            + " for their index rows; the limit is " + TableService.MAX_OPERATIONS);
        }
        long bytes = ChangeSetBody.ENVELOPE
                + found.stream().mapToLong(EntityChange::bytes).sum();
        if (bytes > TableService.MAX_BYTES) {
            throw refused(
                    where,
                    " has " + bytes + " bytes with the copies of its entities in index rows; the limit is "
                            + TableService.MAX_BYTES + " bytes");
        }
    }

    /** The partition is for the log only. */
    private static IllegalArgumentException refused(Supplier<String> where, String reason) {
        return new IllegalArgumentException(
                where.get() + reason, new InvalidValueException("the transaction" + reason));
    }
}
