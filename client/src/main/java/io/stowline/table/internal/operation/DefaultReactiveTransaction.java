package io.stowline.table.internal.operation;

import io.stowline.outcome.WriteResult;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.SendSettings;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.ReactiveTable;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.TableOperation;
import java.util.List;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** {@link ReactiveTransaction} that collects operations in its {@link TransactionSteps}. */
public final class DefaultReactiveTransaction<T> extends OperationVerbs<T, ReactiveTransaction<T>>
        implements ReactiveTransaction<T> {

    private final TransactionSteps<T> steps;

    public DefaultReactiveTransaction(TransactionSteps<T> steps) {
        this.steps = steps;
    }

    @Override
    ReactiveTransaction<T> take(TableOperation<T, ?> operation) {
        steps.add(operation);
        return this;
    }

    @Override
    public <R> ReactiveTransaction<R> in(ReactiveTable<R> table) {
        return new DefaultReactiveTransaction<>(steps.in(table));
    }

    @Override
    public <R> ReactiveTransaction<R> in(ReactiveIndexedTable<R> table) {
        return new DefaultReactiveTransaction<>(steps.in(table));
    }

    @Override
    public ReactiveTransaction<T> delete(String rowKey) {
        return take(TableOperation.delete(steps.plan().partitionKey(), rowKey));
    }

    @Override
    public <M> ReactiveTransaction<T> send(
            ReactiveMessageQueue<M> queue, M body, UnaryOperator<SendSettings.Builder> settings) {
        steps.send(queue, body, settings);
        return this;
    }

    @Override
    public Mono<List<WriteResult>> commit() {
        return steps.delivered();
    }
}
