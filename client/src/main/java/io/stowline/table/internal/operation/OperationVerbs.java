package io.stowline.table.internal.operation;

import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;

/** Verbs of entities that a face takes as operations, for a later request. */
abstract class OperationVerbs<T, R> {

    /** Takes an operation. */
    abstract R take(TableOperation<T, ?> operation);

    public R insert(T value) {
        return take(TableOperation.insert(value));
    }

    public R insertOrMerge(T value) {
        return take(TableOperation.insertOrMerge(value));
    }

    public R insertOrReplace(T value) {
        return take(TableOperation.insertOrReplace(value));
    }

    public R replace(StoredEntity<T> stored) {
        return take(TableOperation.replace(stored));
    }

    public R merge(StoredEntity<T> stored) {
        return take(TableOperation.merge(stored));
    }

    public R delete(StoredEntity<T> stored) {
        return take(TableOperation.delete(stored));
    }

    public R delete(T value) {
        return take(TableOperation.delete(value));
    }
}
