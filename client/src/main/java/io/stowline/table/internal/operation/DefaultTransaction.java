package io.stowline.table.internal.operation;

import io.stowline.outcome.WriteResult;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import io.stowline.table.Transaction;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.Objects;

/** {@link Transaction} that collects operations in its {@link TransactionSteps}. */
public final class DefaultTransaction<T> implements Transaction<T> {

    private final TransactionSteps<T> plan;

    public DefaultTransaction(TransactionSteps<T> plan) {
        this.plan = plan;
    }

    @Override
    public Transaction<T> insert(T value) {
        plan.add(TableOperation.insert(value));
        return this;
    }

    @Override
    public Transaction<T> insertOrMerge(T value) {
        plan.add(TableOperation.insertOrMerge(value));
        return this;
    }

    @Override
    public Transaction<T> insertOrReplace(T value) {
        plan.add(TableOperation.insertOrReplace(value));
        return this;
    }

    @Override
    public Transaction<T> replace(StoredEntity<T> stored) {
        plan.add(TableOperation.replace(stored));
        return this;
    }

    @Override
    public Transaction<T> merge(StoredEntity<T> stored) {
        plan.add(TableOperation.merge(stored));
        return this;
    }

    @Override
    public Transaction<T> delete(StoredEntity<T> stored) {
        plan.add(TableOperation.delete(stored));
        return this;
    }

    @Override
    public Transaction<T> delete(T value) {
        plan.add(TableOperation.delete(value));
        return this;
    }

    @Override
    public Transaction<T> delete(String rowKey) {
        plan.add(TableOperation.delete(plan.partitionKey(), rowKey));
        return this;
    }

    @Override
    public List<WriteResult> commit() {
        return Objects.requireNonNull(
                BlockingAwait.on(plan.closed().commit()), "the transaction ended without a result");
    }
}
