package io.stowline.table.internal.operation;

import io.stowline.outcome.WriteResult;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.TableOperation;
import java.util.List;
import reactor.core.publisher.Mono;

/** {@link ReactiveTransaction} that collects operations in its {@link TransactionSteps}. */
public final class DefaultReactiveTransaction<T> extends OperationVerbs<T, ReactiveTransaction<T>>
        implements ReactiveTransaction<T> {

    private final TransactionSteps<T> plan;

    public DefaultReactiveTransaction(TransactionSteps<T> plan) {
        this.plan = plan;
    }

    @Override
    ReactiveTransaction<T> take(TableOperation<T, ?> operation) {
        plan.add(operation);
        return this;
    }

    @Override
    public ReactiveTransaction<T> delete(String rowKey) {
        return take(TableOperation.delete(plan.partitionKey(), rowKey));
    }

    @Override
    public Mono<List<WriteResult>> commit() {
        return plan.closed().delivered();
    }
}
