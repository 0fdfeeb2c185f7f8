package io.stowline.table;

import io.stowline.table.internal.Verb;
import io.stowline.transport.internal.Await;
import java.util.List;
import java.util.Objects;

/**
 * An explicit entity group transaction: up to 100 operations on different entities of one partition, at most 4 MiB together, that
 * happen all or not at all. Every limit is checked when an operation is added, before anything is sent.
 *
 * <p>It goes through the same lane as the writers of this client, so that the two never hold one entity at a time. Not thread-safe.
 *
 * @param <T> the table's type
 */
public final class Transaction<T> {

    private final TransactionPlan<T> plan;

    Transaction(TransactionPlan<T> plan) {
        this.plan = plan;
    }

    /**
     * Adds the making of an entity that must not be there yet.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    public Transaction<T> insert(T value) {
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
    public Transaction<T> insertOrMerge(T value) {
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
    public Transaction<T> insertOrReplace(T value) {
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
    public Transaction<T> replace(Stored<T> stored) {
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
    public Transaction<T> merge(Stored<T> stored) {
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
    public Transaction<T> delete(Stored<T> stored) {
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
    public Transaction<T> delete(String rowKey) {
        plan.delete(rowKey);
        return this;
    }

    /**
     * Carries it out.
     *
     * <p>Unless it holds nothing but upserts or deletions, one of its entities gets a mark, one property of about 60 bytes, as the table's
     * {@link Table#marking} says. If an answer is lost, that entity is read back; where only time can tell, the call waits within its deadline,
     * up to 35 s with the default settings.
     *
     * @return what each operation wrote, in the order in which they were added
     * @throws io.stowline.error.TransactionFailedException if the service refused it for one operation; nothing was applied by the
     *     attempt that it answered
     * @throws IllegalArgumentException if there is no operation in it or it is larger than the service takes
     * @throws IllegalStateException if it has been committed before
     */
    public List<Written> commit() {
        return Objects.requireNonNull(Await.on(plan.closed().commit()), "the transaction ended without a result");
    }
}
