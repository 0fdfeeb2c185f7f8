package io.stowline.table;

import io.stowline.outcome.WriteResult;
import java.util.List;

/**
 * An explicit entity group transaction: up to 100 operations on different entities of one partition, at most 4 MiB together, that
 * happen all or not at all. Every limit is checked when an operation is added, before anything is sent.
 *
 * <p>It goes through the same lane as the writers of this client, so that the two never hold one entity at a time. Not thread-safe.
 *
 * @param <T> the table's type
 */
public interface Transaction<T> {

    /**
     * Adds an insert of an entity that must not exist yet.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    Transaction<T> insert(T value);

    /**
     * Adds an upsert that inserts the entity, or sets its properties if it exists.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    Transaction<T> insertOrMerge(T value);

    /**
     * Adds an upsert that inserts the entity, or replaces it if it exists.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    Transaction<T> insertOrReplace(T value);

    /**
     * Adds a replacement of the version that was read.
     *
     * @param stored the new value with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    Transaction<T> replace(StoredEntity<T> stored);

    /**
     * Adds a merge that sets properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    Transaction<T> merge(StoredEntity<T> stored);

    /**
     * Adds a deletion of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    Transaction<T> delete(StoredEntity<T> stored);

    /**
     * Adds a deletion of the entity that has the keys of a value, whatever its version.
     *
     * @param value the entity, of which only the keys count
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    Transaction<T> delete(T value);

    /**
     * Adds a deletion of an entity of this partition, whatever its version.
     *
     * @param rowKey its key in the partition
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    Transaction<T> delete(String rowKey);

    /**
     * Commits the transaction.
     *
     * <p>Unless it holds nothing but upserts or deletions, one of its entities gets a marker, one property of about 60
     * bytes, as the table's {@link Table#withMarkers} sets it. If a response is lost, the call reads that entity back. If
     * that leaves the outcome open, it waits within its deadline, up to 35 s with the default settings.
     *
     * @return what each operation wrote, in the order in which they were added
     * @throws io.stowline.error.TransactionFailedException if the service refused it for one operation; the refused attempt applied nothing
     * @throws IllegalArgumentException if there is no operation in it or it is larger than the service takes
     * @throws IllegalStateException if it has been committed before
     */
    List<WriteResult> commit();
}
