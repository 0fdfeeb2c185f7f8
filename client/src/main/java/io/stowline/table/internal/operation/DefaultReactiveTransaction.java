package io.stowline.table.internal.operation;

import io.stowline.outcome.WriteResult;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import java.util.List;
import reactor.core.publisher.Mono;

/** {@link ReactiveTransaction} that collects operations in its {@link TransactionSteps}. */
public final class DefaultReactiveTransaction<T> implements ReactiveTransaction<T> {

    private final TransactionSteps<T> plan;

    public DefaultReactiveTransaction(TransactionSteps<T> plan) {
        this.plan = plan;
    }

    @Override
    public ReactiveTransaction<T> insert(T value) {
        plan.add(TableOperation.insert(value));
        return this;
    }

    @Override
    public ReactiveTransaction<T> insertOrMerge(T value) {
        plan.add(TableOperation.insertOrMerge(value));
        return this;
    }

    @Override
    public ReactiveTransaction<T> insertOrReplace(T value) {
        plan.add(TableOperation.insertOrReplace(value));
        return this;
    }

    @Override
    public ReactiveTransaction<T> replace(StoredEntity<T> stored) {
        plan.add(TableOperation.replace(stored));
        return this;
    }

    @Override
    public ReactiveTransaction<T> merge(StoredEntity<T> stored) {
        plan.add(TableOperation.merge(stored));
        return this;
    }

    @Override
    public ReactiveTransaction<T> delete(StoredEntity<T> stored) {
        plan.add(TableOperation.delete(stored));
        return this;
    }

    @Override
    public ReactiveTransaction<T> delete(T value) {
        plan.add(TableOperation.delete(value));
        return this;
    }

    @Override
    public ReactiveTransaction<T> delete(String rowKey) {
        plan.add(TableOperation.delete(plan.partitionKey(), rowKey));
        return this;
    }

    @Override
    public Mono<List<WriteResult>> commit() {
        return plan.closed().delivered();
    }
}
