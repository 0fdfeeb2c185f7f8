package io.stowline.table.internal.operation;

import io.stowline.outcome.WriteResult;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.SendSettings;
import io.stowline.table.EntityKey;
import io.stowline.table.IndexedTable;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.Transaction;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** {@link Transaction} that collects operations in its {@link TransactionSteps}. */
public final class DefaultTransaction<T> extends OperationVerbs<T, Transaction<T>> implements Transaction<T> {

    private final TransactionSteps<T> steps;

    public DefaultTransaction(TransactionSteps<T> steps) {
        this.steps = steps;
    }

    @Override
    Transaction<T> take(TableOperation<T, ?> operation) {
        steps.add(operation);
        return this;
    }

    /**
     * Adds the write of an entity whose JSON keeps the rules of the service.
     *
     * @param verb an insert or an upsert
     * @param content its JSON; not changed afterwards
     * @param markable whether the entity has room for the marker of a write
     */
    public void add(EntityVerb verb, EntityKey key, byte[] content, boolean markable) {
        steps.add(verb, key, content, markable);
    }

    @Override
    public <R> Transaction<R> in(Table<R> table) {
        return new DefaultTransaction<>(steps.in(table));
    }

    @Override
    public <R> Transaction<R> in(IndexedTable<R> table) {
        return new DefaultTransaction<>(steps.in(table));
    }

    @Override
    public Transaction<T> delete(String rowKey) {
        return take(TableOperation.delete(steps.plan().partitionKey(), rowKey));
    }

    @Override
    public <M> Transaction<T> send(MessageQueue<M> queue, M body, UnaryOperator<SendSettings.Builder> settings) {
        steps.send(queue, body, settings);
        return this;
    }

    @Override
    public List<WriteResult> commit() {
        return Objects.requireNonNull(BlockingAwait.on(steps.commit()), "the transaction ended without a result");
    }
}
