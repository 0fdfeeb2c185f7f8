package io.stowline.table.internal.index;

import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.index.IndexedWrite.EntityChange;
import io.stowline.table.internal.operation.TransactionPlan;
import io.stowline.table.internal.operation.TransactionSteps;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.writer.TableService;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An explicit transaction of entities with index rows. Nothing is read before it is committed. Not thread-safe. */
final class IndexedTransaction<T> implements TransactionSteps<T> {

    private static final int MAX_TRIES = 5;
    private static final int AT_A_TIME = 8;

    private final IndexedContext<T> context;
    private final IndexedChanges<T> changes;
    private final IndexedWrites<T> writes;
    private final String partitionKey;
    private final List<TableOperation<T, ?>> operations = new ArrayList<>();
    private final Set<String> rowKeys = new HashSet<>();
    private final AtomicBoolean committed = new AtomicBoolean();

    IndexedTransaction(IndexedContext<T> context, String partitionKey) {
        IndexedWrites.SeparateWrites<T> path = new IndexedWrites.SeparateWrites<>(context);
        this.context = context;
        this.changes = new IndexedChanges<>(context, path);
        this.writes = new IndexedWrites<>(context, path);
        this.partitionKey = KeyRules.check("PartitionKey", context.entityPartition(partitionKey));
    }

    @Override
    public String partitionKey() {
        return partitionKey;
    }

    @Override
    public void add(TableOperation<T, ?> operation) {
        EncodedOperation entity = context.primary().encode(operation);
        context.accept(operation, entity);
        String what = "operation " + operations.size() + " of the transaction ("
                + entity.verb().label() + " " + entity.rowKey() + ")";
        if (!entity.partitionKey().equals(partitionKey)) {
            throw new IllegalArgumentException(what + " is for the partition '" + entity.partitionKey()
                    + "', but the transaction is for '" + partitionKey + "'");
        }
        if (!rowKeys.add(entity.rowKey())) {
            throw new IllegalArgumentException(
                    what + " is the second for this entity: an entity can stand in a transaction once");
        }
        operations.add(operation);
    }

    @Override
    public IndexedTransaction<T> closed() {
        TransactionPlan.once(committed, partitionKey);
        return this;
    }

    @Override
    public Mono<List<WriteResult>> commit() {
        List<TableOperation<T, ?>> all = List.copyOf(operations);
        return all.isEmpty()
                ? Mono.error(new IllegalArgumentException("the transaction of the partition '" + partitionKey
                        + "' has no operation: add at least one before commit()"))
                : commit(all, MAX_TRIES - 1);
    }

    @Override
    public Mono<List<WriteResult>> delivered() {
        return commit();
    }

    private Mono<List<WriteResult>> commit(List<TableOperation<T, ?>> all, int more) {
        return Flux.fromIterable(all)
                .flatMapSequential(changes::of, AT_A_TIME)
                .collectList()
                .flatMap(found -> {
                    checkSize(found);
                    return writes.together(found)
                            .onErrorResume(
                                    TransactionFailedException.class,
                                    e -> more > 0 && again(all, found, e) ? commit(all, more - 1) : Mono.error(e));
                });
    }

    /** True if another writer was faster, as for a single write. */
    private boolean again(List<TableOperation<T, ?>> all, List<EntityChange> found, TransactionFailedException e) {
        Throwable cause = e.getCause();
        return cause != null && IndexedWrites.again(all.get(e.index()), found.get(e.index()), cause);
    }

    private void checkSize(List<EntityChange> found) {
        int rows = found.stream().mapToInt(EntityChange::rows).sum();
        int size = found.size() + rows;
        if (size > TableService.MAX_OPERATIONS) {
            throw new IllegalArgumentException("the transaction of the partition '" + partitionKey + "' has " + size
                    + " operations, " + found.size() + " for its entities and " + rows
                    + " for their index rows; the limit is " + TableService.MAX_OPERATIONS);
        }
    }
}
