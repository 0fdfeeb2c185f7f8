package io.stowline.ring;

import io.stowline.outcome.WriteResult;
import io.stowline.table.StoredEntity;
import java.util.List;

/**
 * An entity group transaction of a ring: up to {@value RingTable#MAX_OPERATIONS} operations on different entities of one partition, at most
 * 4 MiB together, that happen all or not at all. Keys and the number of operations are checked when an operation is added, sizes before
 * the request. Not thread-safe.
 *
 * @param <T> the table's type
 */
public interface RingTransaction<T> {

    /**
     * Adds an insert of an entity that must not exist yet.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    RingTransaction<T> insert(T value);

    /**
     * Adds an upsert that inserts the entity, or sets its properties if it exists.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    RingTransaction<T> insertOrMerge(T value);

    /**
     * Adds an upsert that inserts the entity, or replaces it if it exists.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    RingTransaction<T> insertOrReplace(T value);

    /**
     * Adds a replacement of the version that was read.
     *
     * @param stored the new value with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    RingTransaction<T> replace(StoredEntity<T> stored);

    /**
     * Adds a merge that sets properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    RingTransaction<T> merge(StoredEntity<T> stored);

    /**
     * Adds a deletion of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    RingTransaction<T> delete(StoredEntity<T> stored);

    /**
     * Adds a deletion of the entity that has the keys of a value, whatever its version.
     *
     * @param value the entity, of which only the keys count
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    RingTransaction<T> delete(T value);

    /**
     * Adds a deletion of an entity of this partition, whatever its version.
     *
     * @param rowKey its key in the partition
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    RingTransaction<T> delete(String rowKey);

    /**
     * Commits the transaction; see {@link io.stowline.table.Transaction#commit}.
     *
     * @return what each operation wrote, in the order in which they were added
     * @throws io.stowline.error.TransactionFailedException if the service refused it for one of several operations; a transaction of one
     *     operation fails as that operation does
     * @throws IllegalArgumentException if there is no operation in it or it is larger than the service takes
     * @throws IllegalStateException if it has been committed before
     */
    List<WriteResult> commit();
}
