package io.stowline.ring.internal.table;

import io.stowline.ring.internal.place.ReservedRows;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import java.util.Objects;

/**
 * Verbs of entities that a face takes as operations on a partition.
 *
 * @param <T> the table's type
 * @param <R> what a verb returns
 */
abstract class RingVerbs<T, R> {

    /** Takes an operation, whose row is not reserved. */
    abstract R take(String partitionKey, TableOperation<T, ?> operation);

    private R taken(TableOperation<T, ?> operation) {
        EntityKey key = ValueKeys.of(operation);
        ReservedRows.checked(key.rowKey());
        return take(key.partitionKey(), operation);
    }

    public R insert(T value) {
        return taken(TableOperation.insert(value));
    }

    public R insertOrMerge(T value) {
        return taken(TableOperation.insertOrMerge(value));
    }

    public R insertOrReplace(T value) {
        return taken(TableOperation.insertOrReplace(value));
    }

    public R replace(StoredEntity<T> stored) {
        return taken(TableOperation.replace(stored));
    }

    public R merge(StoredEntity<T> stored) {
        return taken(TableOperation.merge(stored));
    }

    public R delete(StoredEntity<T> stored) {
        return taken(TableOperation.delete(stored));
    }

    public R delete(T value) {
        return taken(TableOperation.delete(Objects.requireNonNull(value, "value")));
    }

    public R delete(String partitionKey, String rowKey) {
        return taken(TableOperation.delete(partitionKey, rowKey));
    }
}
