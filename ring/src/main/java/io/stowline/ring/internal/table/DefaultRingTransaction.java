package io.stowline.ring.internal.table;

import io.stowline.outcome.WriteResult;
import io.stowline.ring.RingTable;
import io.stowline.ring.RingTransaction;
import io.stowline.ring.internal.place.PartitionRoutes;
import io.stowline.table.TableOperation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** {@link RingTransaction} that collects its operations and commits them where the partition is. */
final class DefaultRingTransaction<T> extends RingVerbs<T, RingTransaction<T>> implements RingTransaction<T> {

    private final PartitionRoutes<T> routes;
    private final String partitionKey;
    private final List<TableOperation<T, ?>> operations = new ArrayList<>();
    private final Set<String> rows = new HashSet<>();
    private boolean committed;

    DefaultRingTransaction(PartitionRoutes<T> routes, String partitionKey) {
        this.routes = routes;
        this.partitionKey = partitionKey;
    }

    @Override
    RingTransaction<T> take(String partition, TableOperation<T, ?> operation) {
        refuseCommitted();
        if (!partition.equals(partitionKey)) {
            throw new IllegalArgumentException("operation " + (operations.size() + 1) + " (" + operation.verb()
                    + ") is for another partition than this"
                    + " transaction: the service has no transaction over several partitions");
        }
        if (operations.size() == RingTable.MAX_OPERATIONS) {
            throw new IllegalArgumentException("a transaction of a ring has at most " + RingTable.MAX_OPERATIONS
                    + " operations; the ring keeps one of the service's 100 for itself");
        }
        if (!rows.add(ValueKeys.of(operation).rowKey())) {
            throw new IllegalArgumentException("operation " + (operations.size() + 1) + " (" + operation.verb()
                    + ") is for an entity that this transaction has already");
        }
        operations.add(operation);
        return this;
    }

    @Override
    public RingTransaction<T> delete(String rowKey) {
        return delete(partitionKey, Objects.requireNonNull(rowKey, "rowKey"));
    }

    @Override
    public List<WriteResult> commit() {
        refuseCommitted();
        if (operations.isEmpty()) {
            throw new IllegalArgumentException("the transaction has no operation");
        }
        committed = true;
        return routes.write(partitionKey, List.copyOf(operations));
    }

    private void refuseCommitted() {
        if (committed) {
            throw new IllegalStateException("the transaction has been committed before");
        }
    }
}
