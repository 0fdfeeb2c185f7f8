package io.stowline.table;

import io.stowline.table.internal.Verb;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link Transaction}: the same operations and limits, committed by a subscription. Not thread-safe.
 *
 * @param <T> the table's type
 */
public final class ReactiveTransaction<T> {

    private final TransactionPlan<T> plan;

    ReactiveTransaction(TransactionPlan<T> plan) {
        this.plan = plan;
    }

    /**
     * Adds the making of an entity that must not be there yet.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    public ReactiveTransaction<T> insert(T value) {
        plan.add(Verb.INSERT, value);
        return this;
    }

    /**
     * Adds the making of an entity, or the setting of its properties if it is there.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    public ReactiveTransaction<T> insertOrMerge(T value) {
        plan.add(Verb.INSERT_OR_MERGE, value);
        return this;
    }

    /**
     * Adds the making of an entity, or the taking of its place if it is there.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    public ReactiveTransaction<T> insertOrReplace(T value) {
        plan.add(Verb.INSERT_OR_REPLACE, value);
        return this;
    }

    /**
     * Adds the replacement of the version that was read.
     *
     * @param stored the new value with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    public ReactiveTransaction<T> replace(Stored<T> stored) {
        plan.add(Verb.REPLACE, stored);
        return this;
    }

    /**
     * Adds the setting of properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    public ReactiveTransaction<T> merge(Stored<T> stored) {
        plan.add(Verb.MERGE, stored);
        return this;
    }

    /**
     * Adds the removal of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    public ReactiveTransaction<T> delete(Stored<T> stored) {
        plan.delete(stored);
        return this;
    }

    /**
     * Adds the removal of an entity of this partition whatever its version.
     *
     * @param rowKey its key in the partition
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    public ReactiveTransaction<T> delete(String rowKey) {
        plan.delete(rowKey);
        return this;
    }

    /**
     * Carries it out; see {@link Transaction#commit}. Later additions do not change what was committed.
     *
     * @return what each operation wrote, in the order in which they were added
     * @throws IllegalStateException if it has been committed before
     */
    public Mono<List<Written>> commit() {
        return plan.closed().delivered();
    }
}
