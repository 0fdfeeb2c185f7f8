package io.stowline.table.internal.operation;

import io.stowline.outcome.WriteResult;
import io.stowline.queue.SendSettings;
import io.stowline.table.EntityKey;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EncodedOperation.OperationTarget;
import io.stowline.table.internal.request.EntityVerb;
import java.util.List;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** The steps of an explicit transaction on rows of one type; those of other types share its plan. */
public record TransactionSteps<T>(TransactionPlan plan, TableMember<T> member) {

    /** Begins a transaction. */
    public static <T> TransactionSteps<T> of(TableMember<T> member, String partitionKey) {
        return new TransactionSteps<>(new TransactionPlan(member, partitionKey), member);
    }

    <R> TransactionSteps<R> in(Object table) {
        return new TransactionSteps<>(plan, plan.join(TableHolder.member(table)));
    }

    void add(TableOperation<T, ?> operation) {
        plan.add(PlannedWrite.of(member, operation));
    }

    void add(EntityVerb verb, EntityKey key, byte[] content, boolean markable) {
        OperationTarget target = new OperationTarget(verb, key.partitionKey(), key.rowKey(), null);
        EncodedOperation entity = member.context().operations().encoder().again(target, content, markable);
        plan.add(new PlannedWrite<>(member, null, entity));
    }

    <M> void send(Object queue, M body, UnaryOperator<SendSettings.Builder> settings) {
        plan.send(queue, body, settings);
    }

    Mono<List<WriteResult>> commit() {
        plan.close();
        return plan.commit();
    }

    /** Commits, and delivers the results as a callback. */
    Mono<List<WriteResult>> delivered() {
        plan.close();
        return plan.delivered();
    }
}
