package io.stowline.table;

import io.stowline.outcome.WriteResult;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.SendSettings;
import java.util.List;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link Transaction}: the same operations and limits, committed by a subscription. Not thread-safe.
 *
 * @param <T> the table's type
 */
public interface ReactiveTransaction<T> {

    /**
     * Adds an insert of an entity that must not exist yet.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    ReactiveTransaction<T> insert(T value);

    /**
     * Adds an upsert that inserts the entity, or sets its properties if it exists.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    ReactiveTransaction<T> insertOrMerge(T value);

    /**
     * Adds an upsert that inserts the entity, or replaces it if it exists.
     *
     * @param value the entity
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    ReactiveTransaction<T> insertOrReplace(T value);

    /**
     * Adds a replacement of the version that was read.
     *
     * @param stored the new value with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    ReactiveTransaction<T> replace(StoredEntity<T> stored);

    /**
     * Adds a merge that sets properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    ReactiveTransaction<T> merge(StoredEntity<T> stored);

    /**
     * Adds a deletion of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    ReactiveTransaction<T> delete(StoredEntity<T> stored);

    /**
     * Adds a deletion of the entity that has the keys of a value, whatever its version.
     *
     * @param value the entity, of which only the keys count
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    ReactiveTransaction<T> delete(T value);

    /**
     * Adds a deletion of an entity of this partition, whatever its version.
     *
     * @param rowKey its key in the partition
     * @return this transaction
     * @throws IllegalArgumentException if the operation cannot stand in this transaction; the message names the limit
     */
    ReactiveTransaction<T> delete(String rowKey);

    /**
     * Returns this transaction for rows of another type in the same table. Operations added through either are one transaction, in the
     * order of their addition, with the settings of the table that began it. They are committed through either, once.
     *
     * @param table a holder of the same table, made by the same client
     * @param <R> the type of that holder
     * @return a view of this transaction
     * @throws IllegalArgumentException if it is a holder of another table, or of another client
     */
    <R> ReactiveTransaction<R> in(ReactiveTable<R> table);

    /**
     * Returns this transaction for rows of another type in the same table, with their index rows: they count towards the same limits.
     *
     * @param table an indexed holder of the same table, made by the same client
     * @param <R> the type of that holder
     * @return a view of this transaction
     * @throws IllegalArgumentException if it is a holder of another table, or of another client, or if only its index rows stand in the
     *     partition
     */
    <R> ReactiveTransaction<R> in(ReactiveIndexedTable<R> table);

    /**
     * Adds a message, visible at once; see {@link #send(ReactiveMessageQueue, Object, UnaryOperator)}.
     *
     * @param queue its queue
     * @param body its body
     * @param <M> the type of the queue
     * @return this transaction
     * @throws IllegalArgumentException if the message cannot stand in this transaction; the message of the exception names the limit
     */
    default <M> ReactiveTransaction<T> send(ReactiveMessageQueue<M> queue, M body) {
        return send(queue, body, settings -> settings);
    }

    /**
     * Adds a message that is sent once the transaction is committed, and never without it. It waits as a row of the partition, an outbox, and
     * counts as one operation. {@link #commit} does not wait for it. After a crash the {@link io.stowline.table.outbox.Outbox#relay relay} of any client sends it,
     * perhaps a second time: the copies of a queue with an envelope have one id.
     *
     * @param queue its queue, made by the same client
     * @param body its body
     * @param settings sets when it is visible and how long it is kept, counted from the time at which it is sent
     * @param <M> the type of the queue
     * @return this transaction
     * @throws IllegalArgumentException if the message cannot stand in this transaction, or its queue belongs to another client; the message of
     *     the exception names the limit
     */
    <M> ReactiveTransaction<T> send(
            ReactiveMessageQueue<M> queue, M body, UnaryOperator<SendSettings.Builder> settings);

    /**
     * Commits the transaction; see {@link Transaction#commit}. Later additions do not change what was committed.
     *
     * @return what each operation wrote, in the order in which they were added
     * @throws IllegalStateException if it has been committed before
     */
    Mono<List<WriteResult>> commit();
}
