package io.stowline.table;

import io.stowline.batching.DeliveryTimeoutException;
import io.stowline.projection.Keys;
import io.stowline.table.internal.EncodedOperation;
import io.stowline.table.internal.LaneItem;
import io.stowline.table.internal.LaneKey;
import io.stowline.table.internal.TableService;
import io.stowline.table.internal.Verb;
import io.stowline.table.internal.WriteCounters;
import io.stowline.transport.internal.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Mono;

/** Collects the operations of one explicit transaction, each checked when it is added. Not thread-safe. */
final class TransactionPlan<T> {

    private final TableScope<T> scope;
    private final AtomicBoolean committed = new AtomicBoolean();
    private final String partitionKey;
    private final List<LaneItem> items = new ArrayList<>();
    private final Set<String> rowKeys = new HashSet<>();
    private final WriteCounters counters = new WriteCounters();

    TransactionPlan(TableScope<T> scope, String partitionKey) {
        this.scope = scope;
        this.partitionKey = Keys.check("PartitionKey", partitionKey);
    }

    void add(Verb verb, T value) {
        add(scope.encode(verb, value));
    }

    void add(Verb verb, Stored<T> stored) {
        add(scope.encode(verb, stored));
    }

    void delete(Stored<T> stored) {
        add(scope.encodeDelete(stored));
    }

    void delete(String rowKey) {
        add(scope.encodeDelete(partitionKey, rowKey));
    }

    void add(EncodedOperation operation) {
        String what = "operation " + items.size() + " of the transaction ("
                + operation.verb().label() + " " + operation.rowKey() + ")";
        if (!operation.partitionKey().equals(partitionKey)) {
            throw new IllegalArgumentException(what + " is for the partition '" + operation.partitionKey()
                    + "', but the transaction is for '" + partitionKey + "'");
        }
        if (items.size() == TableService.MAX_OPERATIONS) {
            throw new IllegalArgumentException(
                    what + " is one too many: the limit is " + TableService.MAX_OPERATIONS + " operations");
        }
        if (!rowKeys.add(operation.rowKey())) {
            throw new IllegalArgumentException(
                    what + " is the second for this entity: an entity can stand in a transaction once");
        }
        items.add(new LaneItem(scope.client(), operation, counters));
    }

    /** Once: a transaction that is committed again would be sent again. */
    TransactionPlan<T> closed() {
        if (!committed.compareAndSet(false, true)) {
            throw new IllegalStateException("the transaction of the partition '" + partitionKey
                    + "' has been committed before: make another one, since this one would be sent twice");
        }
        return this;
    }

    Mono<List<Written>> commit() {
        List<LaneItem> whole = List.copyOf(items);
        LaneKey lane = scope.service().lane(scope.client().table(), partitionKey);
        Duration deadline = scope.client().retry().deadline();
        if (whole.isEmpty()) {
            return Mono.error(new IllegalArgumentException("the transaction of the partition '" + partitionKey
                    + "' has no operation: add at least one before commit()"));
        }
        return Mono.defer(() -> scope.service().lanes().submitAtomic(lane, whole, deadline))
                .onErrorMap(DeliveryTimeoutException.class, late -> unsent(whole.size(), deadline, late));
    }

    /** The wait for the partition is a part of the time of the transaction. */
    private RuntimeException unsent(int size, Duration deadline, DeliveryTimeoutException late) {
        String resource = scope.client().table() + "(" + partitionKey + ") with " + size + " operations";
        return Failures.unsent("transaction", resource, deadline, late);
    }

    Mono<List<Written>> delivered() {
        return commit().publishOn(scope.service().callbackScheduler());
    }
}
