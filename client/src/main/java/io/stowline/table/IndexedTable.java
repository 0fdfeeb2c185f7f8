package io.stowline.table;

import io.stowline.outcome.WriteResult;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A table whose entities are found by further values than their keys. It keeps a row for each of these values, the index rows, beside
 * the entities.
 *
 * <p><b>In the partition of the entity</b> (unique and local indexes) an index row is a copy of the entity,
 * written in the same transaction: it is never missing, never stale, and one read gives the entity. <b>Elsewhere</b>
 * (global indexes) it only points to the entity. It is written before the entity and removed after it, so that wherever
 * a process ends every entity is found by its indexes; what points to an entity that is gone or has another value now is passed over.
 *
 * <p>All of that holds for writes through this class. A write that bypasses it leaves stale index rows, which {@link #repair()} mends. Call
 * it also after an {@link io.stowline.error.OutcomeUnknownException}, which may leave references of global indexes.
 *
 * <p>A method of this class makes several requests, one step after the other. The deadline of the table's retry settings bounds each step
 * and not their sum.
 *
 * <p>Thread-safe; works on platform and virtual threads. Failures are those of {@link Table}. Methods that take a partition of entities
 * refuse a partition that holds only index rows.
 *
 * @param <T> the table's type
 */
public interface IndexedTable<T> {

    /**
     * Returns the table itself, whose queries leave the index rows out as {@link #query} does: for reads, and for views and settings of
     * them. What is written through it leaves the index rows as they are.
     *
     * @return the table with the settings that it had when its indexes were declared
     */
    Table<T> table();

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face of this table
     */
    ReactiveIndexedTable<T> reactive();

    /**
     * Returns the same table with another grace: how old a reference must be that leads to no entity before {@link #repair()}
     * removes it. A writer makes references before the entity, so it must be longer than any write takes.
     *
     * @param age by the service's clock, at least a second; 10 minutes unless set
     * @return the table with this grace
     * @throws IllegalArgumentException if it is less than a second
     */
    IndexedTable<T> withGrace(Duration age);

    /**
     * Inserts an entity that must not exist yet, with its index rows.
     *
     * @param value the entity
     * @return what was written of the entity
     * @throws io.stowline.error.ConflictException if there is one with these keys, or, in its partition, one with its value of a unique
     *     index; the message names the index
     * @throws IllegalArgumentException if its key begins as those of index rows do
     */
    WriteResult insert(T value);

    /**
     * Inserts an entity, or replaces the existing one, with its index rows. Reads the entity first. If another client changes it in
     * between, the call tries again, five times in all.
     *
     * @param value the entity
     * @return what was written of the entity
     * @throws io.stowline.error.ConflictException if there is one with its value of a unique index in its partition, or at the last try
     *     another client inserted the entity
     * @throws io.stowline.error.PreconditionFailedException if another client changed it at the last try, too
     */
    WriteResult insertOrReplace(T value);

    /**
     * Replaces the version that was read, and no other, with its index rows. Properties that the Java type does not have are removed.
     *
     * @param stored the new value with the ETag of that version: an entity that was read, {@link StoredEntity#with} the new value. Its
     *     {@link StoredEntity#before} shows which index rows there are; without it the entity is read once more
     * @return what was written of the entity
     * @throws io.stowline.error.PreconditionFailedException if the entity has changed since
     * @throws io.stowline.error.NotFoundException if it is gone
     * @throws io.stowline.error.ConflictException if there is one with its new value of a unique index in its partition
     * @throws IllegalArgumentException if the keys differ, or the ETag is {@code *}
     */
    WriteResult replace(StoredEntity<T> stored);

    /**
     * Removes the version that was read, and no other, with its index rows.
     *
     * @param stored what was read, unchanged: its value determines which index rows there are
     * @return that it is gone
     * @throws io.stowline.error.PreconditionFailedException if the entity has changed since
     * @throws io.stowline.error.NotFoundException if it is gone
     * @throws IllegalArgumentException if the ETag is {@code *}
     */
    WriteResult delete(StoredEntity<T> stored);

    /**
     * Begins a transaction of entities of one partition with their copies: all of it happens, or nothing. Each entity and each copy counts
     * as one of its 100 operations; {@code commit()} refuses more, with the numbers, before anything is written. It reads the entities whose
     * former values it needs, as {@link #writer(UnaryOperator)} documents for each operation, and begins again if another client was faster, five
     * times in all. A unique value may pass from one of its entities to another.
     *
     * @param partitionKey the partition
     * @return a transaction
     * @throws IllegalArgumentException if only index rows stand in such a partition
     */
    Transaction<T> transaction(String partitionKey);

    /**
     * Opens a writer with the default settings; see {@link #writer(UnaryOperator)}.
     *
     * @return the writer, to be closed
     */
    default TableWriter<T> writer() {
        return writer(settings -> settings);
    }

    /**
     * Opens a writer whose operations keep the index rows, too. It has the interface and the guarantees of a {@link
     * Table#writer() table's}, and also:
     *
     * <ul>
     *   <li>Entities of one partition travel together with their copies: with three copies of each, 25 entities in a
     *       transaction. References travel together as well, in separate transactions. The order of the writes is that
     *       of this class.
     *   <li>{@code insert} sends nothing but writes. So do {@code replace} and {@code delete} of an entity that was
     *       read ({@link StoredEntity#with}), after a read of each copy of a unique index. Every other operation reads
     *       the entity first. At most 32 of these reads are in flight.
     *   <li>{@code merge} and {@code insertOrMerge} read the whole entity: copies hold all of it.
     *   <li>Operations on one entity wait for each other. Those that are not for a version begin again if another client was faster, five
     *       times in all. {@code cancel()} removes one that waits behind another; any other has begun with its steps, which go on.
     *   <li>Its bounds are for entities, whose bytes count with those of their copies. What it holds besides is at most
     *       as much once more. {@code deliveryTimeout} bounds each step of an operation; a read is a step together with
     *       its wait for a place. {@code coalesce} has no effect.
     * </ul>
     *
     * @param settings how it buffers, waits and ends
     * @return the writer, to be closed
     */
    TableWriter<T> writer(UnaryOperator<WriterSettings.Builder> settings);

    /**
     * Opens a writer that also keeps its operations in a journal: one that is accepted is carried out with all of its index rows, by the
     * next process if this one ends before. It takes {@code insert}, the upserts, and {@code replace}, {@code merge} and {@code delete} of
     * any version; an operation for one version is refused, since after a crash nothing proves that it replaced just that one. It writes
     * entities of one type. The module {@code stowline-journal} must be present.
     *
     * @param journal where its operations are kept; it serves one writer of one table with indexes, and is closed after it
     * @param settings how it buffers, waits and ends
     * @return the writer, to be closed
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table, or of a writer without index rows
     */
    TableWriter<T> writer(WriterJournal journal, UnaryOperator<WriterSettings.Builder> settings);

    /**
     * Reads one entity by its keys.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag, to be changed or removed; nothing if there is none
     * @throws IllegalArgumentException if it is the key of an index row
     */
    Optional<StoredEntity<T>> find(String partitionKey, String rowKey);

    /**
     * Reads one entity by its value of a unique index: one read, of the copy. A copy has no ETag of the entity; read the entity by its keys
     * to change it.
     *
     * @param index the index
     * @param partitionKey the entity's partition
     * @param value its value
     * @param <V> the type of its values
     * @return the entity, if there is one
     * @throws IllegalArgumentException if there is no such index or it is not unique
     */
    <V> Optional<T> find(Index<T, V> index, String partitionKey, V value);

    /**
     * Begins a query over the entities themselves; the service leaves the index rows out. That takes two of the 15 comparisons of a query
     * for each index.
     *
     * @return a query for the whole table
     */
    Query<T> query();

    /**
     * Returns the entities of a partition in the order of an index, by their copies. Close the stream if it is not read to its end.
     *
     * @param index the index
     * @param partitionKey the partition
     * @return the entities that the index has
     * @throws IllegalArgumentException if there is no such index or it is global
     */
    Stream<T> stream(Index<T, ?> index, String partitionKey);

    /**
     * Returns the entities of a partition that have a value, in the order of their row keys, by their copies. Close the stream if it is not
     * read to its end.
     *
     * @param index the index
     * @param partitionKey the partition
     * @param value the value
     * @param <V> the type of its values
     * @return the entities
     * @throws IllegalArgumentException if there is no such index, it is unique, or it is global
     */
    <V> Stream<T> stream(Index<T, V> index, String partitionKey, V value);

    /**
     * Returns the entities of a partition whose values are in a range, in the order of the values, by their copies. Close the stream if it
     * is not read to its end.
     *
     * @param index the index
     * @param partitionKey the partition
     * @param from the first value of the range
     * @param below the first value after the range
     * @param <V> the type of its values
     * @return the entities
     * @throws IllegalArgumentException if there is no such index, it is global, or {@code from} comes after {@code below}
     */
    <V> Stream<T> range(Index<T, V> index, String partitionKey, V from, V below);

    /**
     * Returns the entities of a partition whose values are not below the given one, in the order of the values, by their copies. Close the
     * stream if it is not read to its end.
     *
     * @param index the index
     * @param partitionKey the partition
     * @param from the first value
     * @param <V> the type of its values
     * @return the entities
     * @throws IllegalArgumentException if there is no such index, or it is global
     */
    <V> Stream<T> rangeFrom(Index<T, V> index, String partitionKey, V from);

    /**
     * Returns the entities of all partitions that have a value of a global index: one read for the references, and one for each entity.
     * Close the stream if it is not read to its end.
     *
     * @param index the index
     * @param value the value
     * @param <V> the type of its values
     * @return the entities with their ETags, in the order of their keys
     * @throws IllegalArgumentException if there is no such index or its rows stand in the partitions of the entities
     */
    <V> Stream<StoredEntity<T>> global(Index<T, V> index, V value);

    /**
     * Reads one entity by its value of a unique index, with its ETag: a read of the copy, and one of the entity.
     *
     * @param index the index
     * @param partitionKey the entity's partition
     * @param value its value
     * @param <V> the type of its values
     * @return the entity, to be changed or removed; nothing if there is none
     * @throws IllegalArgumentException if there is no such index or it is not unique
     */
    <V> Optional<StoredEntity<T>> findStored(Index<T, V> index, String partitionKey, V value);

    /**
     * Returns the first page of a lookup, with a token that continues after it, as {@link Query#page()} does. A page is full unless it is the
     * last one: index rows that lead nowhere are passed over.
     *
     * @param lookup the lookup with its page size
     * @return the page; of an index in the partition of the entities by their copies, one request, and of a global one by a request for each
     *     entity
     * @throws IllegalArgumentException if there is no such index
     */
    Query.Page<T> page(IndexLookup<T> lookup);

    /**
     * Returns the page after another one. It begins after the last index row of that page: none is returned twice unless its value has changed.
     *
     * @param lookup the lookup; its page size may differ
     * @param token the token of a page of this lookup, with or without ETags
     * @return the page
     * @throws IllegalArgumentException if there is no such index, or the text is no page token, or that of another lookup
     */
    Query.Page<T> page(IndexLookup<T> lookup, String token);

    /**
     * Returns the first page of a lookup with the entities themselves, which have ETags: one request for the index rows and one for each
     * entity. An entity that has another value by then is not in it.
     *
     * @param lookup the lookup with its page size
     * @return the page
     * @throws IllegalArgumentException if there is no such index
     */
    Query.Page<StoredEntity<T>> pageStored(IndexLookup<T> lookup);

    /**
     * Returns the page after another one with the entities themselves; see {@link #pageStored(IndexLookup)}.
     *
     * @param lookup the lookup; its page size may differ
     * @param token the token of a page of this lookup, with or without ETags
     * @return the page
     * @throws IllegalArgumentException if there is no such index, or the text is no page token, or that of another lookup
     */
    Query.Page<StoredEntity<T>> pageStored(IndexLookup<T> lookup, String token);

    /**
     * Mends the index rows of one partition: adds missing rows, there and of global indexes, rewrites those that differ, and removes those of
     * entities that are gone or have other values. Other clients may write at the same time. An entity whose index rows were mended has a
     * new ETag.
     *
     * @param partitionKey the partition
     * @return what it found and did
     * @throws IllegalArgumentException if only index rows stand in such a partition
     */
    IndexReport repair(String partitionKey);

    /**
     * Mends the index rows of the whole table. It scans the table once, and looks closer only at entities whose index rows differ; it also removes references that are left, if they are older than
     * {@link #withGrace}.
     *
     * @return what it found and did
     */
    default IndexReport repair() {
        return repair((partition, report) -> {});
    }

    /**
     * Mends the index rows of the whole table, as {@link #repair()}, and reports its progress.
     *
     * @param progress is given after each partition its key, up to which all is done, and the report so far, on the callback threads; what it
     *     throws ends the repair. A repair that is broken off continues with {@link #repairFrom}
     * @return what it found and did
     */
    IndexReport repair(BiConsumer<? super String, ? super IndexReport> progress);

    /**
     * Continues a repair that was broken off: leaves out the entities of earlier partitions, and the references to them.
     *
     * @param partitionKey the first partition, as the last progress has it
     * @param progress is given after each partition its key, up to which all is done, and the report so far, on the callback threads; what it
     *     throws ends the repair. A repair that is broken off continues with {@link #repairFrom}
     * @return what it found and did from there on
     * @throws IllegalArgumentException if only index rows stand in such a partition
     */
    IndexReport repairFrom(String partitionKey, BiConsumer<? super String, ? super IndexReport> progress);

    /**
     * Opens a writer for an import: it writes entities with the index rows in their partition, and leaves out references, which {@link
     * #backfill} writes afterwards. Until then {@link #global} does not find the entities. Without indexes in the partition of the entities it is
     * as fast as the table's.
     *
     * @param settings how it buffers, waits and ends
     * @return the writer, to be closed
     */
    TableWriter<T> entityWriter(UnaryOperator<WriterSettings.Builder> settings);

    /**
     * Writes the references of all entities, as after an import by {@link #entityWriter}: one scan, and up to 100 index rows in a
     * request where they share a partition ({@link Index#global(int)}). Then a {@link #repair()} verifies all index rows by their sums, and mends
     * what differs, such as by writers beside the backfill. May be repeated.
     *
     * @param progress is given after each partition its key, up to which all is written, and the report so far, on the callback threads; what
     *     it throws ends the backfill. One that is broken off continues with {@link #backfillFrom}
     * @return the report of the repair, with the index rows that the backfill wrote before it as added, those that were there already included
     */
    IndexReport backfill(BiConsumer<? super String, ? super IndexReport> progress);

    /**
     * Continues a backfill that was broken off.
     *
     * @param partitionKey the first partition, as the last progress has it
     * @param progress is given after each partition its key, up to which all is written, and the report so far, on the callback threads; what
     *     it throws ends the backfill
     * @return the report from there on
     * @throws IllegalArgumentException if only index rows stand in such a partition
     */
    IndexReport backfillFrom(String partitionKey, BiConsumer<? super String, ? super IndexReport> progress);

    /**
     * The report of a repair of index rows. Immutable.
     *
     * @param entities how many entities it looked at
     * @param added how many index rows were missing and were written
     * @param removed how many index rows were not those of any entity and were removed
     * @param rewritten how many index rows were those of an entity and had another content, and were rewritten
     * @param unresolved how many rows it left as they are: an entity has the unique value of another one, a row has the key of an index row and
     *     is none, an entity cannot be read as the table's type or its values do not fit into keys, or it changed too often during the repair
     */
    record IndexReport(long entities, long added, long removed, long rewritten, long unresolved) {

        /**
         * Adds another report.
         *
         * @param other the report of another repair, such as of another partition
         * @return the sum of both
         */
        public IndexReport and(IndexReport other) {
            return new IndexReport(
                    entities + other.entities,
                    added + other.added,
                    removed + other.removed,
                    rewritten + other.rewritten,
                    unresolved + other.unresolved);
        }

        /**
         * Returns whether the indexes were as they should be.
         *
         * @return true if nothing was done, and nothing left undone
         */
        public boolean clean() {
            return added + removed + rewritten + unresolved == 0;
        }
    }
}
