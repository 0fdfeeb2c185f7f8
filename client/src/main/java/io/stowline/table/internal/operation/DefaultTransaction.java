package io.stowline.table.internal.operation;

import io.stowline.outcome.WriteResult;
import io.stowline.table.TableOperation;
import io.stowline.table.Transaction;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.Objects;

/** {@link Transaction} that collects operations in its {@link TransactionSteps}. */
public final class DefaultTransaction<T> extends OperationVerbs<T, Transaction<T>> implements Transaction<T> {

    private final TransactionSteps<T> plan;

    public DefaultTransaction(TransactionSteps<T> plan) {
        this.plan = plan;
    }

    @Override
    Transaction<T> take(TableOperation<T, ?> operation) {
        plan.add(operation);
        return this;
    }

    @Override
    public Transaction<T> delete(String rowKey) {
        return take(TableOperation.delete(plan.partitionKey(), rowKey));
    }

    @Override
    public List<WriteResult> commit() {
        return Objects.requireNonNull(
                BlockingAwait.on(plan.closed().commit()), "the transaction ended without a result");
    }
}
