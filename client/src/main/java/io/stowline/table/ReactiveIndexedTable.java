package io.stowline.table;

import io.stowline.outcome.WriteResult;
import io.stowline.table.IndexedTable.IndexReport;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of {@link IndexedTable}: the same methods, as {@code Mono} and {@code Flux}. Nothing is sent before a subscription,
 * and each subscription starts a separate operation. A cancelled one sends nothing more: index rows in other partitions may then be left
 * for a repair.
 *
 * <p>Thread-safe. Failures are those of {@link IndexedTable}.
 *
 * @param <T> the table's type
 */
public interface ReactiveIndexedTable<T> {

    /**
     * Returns the table itself, whose queries leave the index rows out; see {@link IndexedTable#table}.
     *
     * @return the table
     */
    ReactiveTable<T> table();

    /**
     * Returns the same table with another grace; see {@link IndexedTable#withGrace}.
     *
     * @param age by the service's clock, at least a second
     * @return the table with this grace
     */
    ReactiveIndexedTable<T> withGrace(Duration age);

    /**
     * Inserts an entity; see {@link IndexedTable#insert}.
     *
     * @param value the entity
     * @return what was written of the entity
     */
    Mono<WriteResult> insert(T value);

    /**
     * Inserts an entity, or replaces the existing one; see {@link IndexedTable#insertOrReplace}.
     *
     * @param value the entity
     * @return what was written of the entity
     */
    Mono<WriteResult> insertOrReplace(T value);

    /**
     * Replaces the version that was read; see {@link IndexedTable#replace}.
     *
     * @param stored the new value with the ETag of that version
     * @return what was written of the entity
     */
    Mono<WriteResult> replace(StoredEntity<T> stored);

    /**
     * Removes the version that was read; see {@link IndexedTable#delete}.
     *
     * @param stored what was read
     * @return that it is gone
     */
    Mono<WriteResult> delete(StoredEntity<T> stored);

    /**
     * Begins a transaction of entities of one partition with their copies; see {@link IndexedTable#transaction}.
     *
     * @param partitionKey the partition
     * @return a transaction
     */
    ReactiveTransaction<T> transaction(String partitionKey);

    /**
     * Opens a writer with the default settings; see {@link #writer(UnaryOperator)}.
     *
     * @return the writer, to be closed
     */
    default ReactiveTableWriter<T> writer() {
        return writer(settings -> settings);
    }

    /**
     * Opens a writer whose operations keep the index rows, too; see {@link IndexedTable#writer(UnaryOperator)}.
     *
     * @param settings how it buffers, waits and ends
     * @return the writer, to be closed
     */
    ReactiveTableWriter<T> writer(UnaryOperator<WriterSettings.Builder> settings);

    /**
     * Opens a writer with a journal; see {@link IndexedTable#writer(WriterJournal, UnaryOperator)}.
     *
     * @param journal where its operations are kept
     * @param settings how it buffers, waits and ends
     * @return the writer, to be closed
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table, or of a writer without index rows
     */
    ReactiveTableWriter<T> writer(WriterJournal journal, UnaryOperator<WriterSettings.Builder> settings);

    /**
     * Reads one entity by its keys; see {@link IndexedTable#find(String, String)}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag; empty if there is none
     */
    Mono<StoredEntity<T>> find(String partitionKey, String rowKey);

    /**
     * Reads one entity by its value of a unique index; see {@link IndexedTable#find(Index, String, Object)}.
     *
     * @param index the index
     * @param partitionKey the entity's partition
     * @param value its value
     * @param <V> the type of its values
     * @return the entity; empty if there is none
     */
    <V> Mono<T> find(Index<T, V> index, String partitionKey, V value);

    /**
     * Begins a query over the entities themselves; see {@link IndexedTable#query}.
     *
     * @return a query for the whole table
     */
    ReactiveQuery<T> query();

    /**
     * Returns the entities of a partition in the order of an index; see {@link IndexedTable#stream(Index, String)}.
     *
     * @param index the index
     * @param partitionKey the partition
     * @return the entities that the index has
     */
    Flux<T> stream(Index<T, ?> index, String partitionKey);

    /**
     * Returns the entities of a partition that have a value; see {@link IndexedTable#stream(Index, String, Object)}.
     *
     * @param index the index
     * @param partitionKey the partition
     * @param value the value
     * @param <V> the type of its values
     * @return the entities
     */
    <V> Flux<T> stream(Index<T, V> index, String partitionKey, V value);

    /**
     * Returns the entities of a partition whose values are in a range; see {@link IndexedTable#range}.
     *
     * @param index the index
     * @param partitionKey the partition
     * @param from the first value of the range
     * @param below the first value after the range
     * @param <V> the type of its values
     * @return the entities
     */
    <V> Flux<T> range(Index<T, V> index, String partitionKey, V from, V below);

    /**
     * Returns the entities of a partition whose values are not below the given one; see {@link IndexedTable#rangeFrom}.
     *
     * @param index the index
     * @param partitionKey the partition
     * @param from the first value
     * @param <V> the type of its values
     * @return the entities
     */
    <V> Flux<T> rangeFrom(Index<T, V> index, String partitionKey, V from);

    /**
     * Returns the entities of all partitions that have a value of a global index; see {@link IndexedTable#global}. Eight are read at a
     * time.
     *
     * @param index the index
     * @param value the value
     * @param <V> the type of its values
     * @return the entities with their ETags, in the order of their keys
     */
    <V> Flux<StoredEntity<T>> global(Index<T, V> index, V value);

    /**
     * Reads one entity by its value of a unique index, with its ETag; see {@link IndexedTable#findStored}.
     *
     * @param index the index
     * @param partitionKey the entity's partition
     * @param value its value
     * @param <V> the type of its values
     * @return the entity; empty if there is none
     */
    <V> Mono<StoredEntity<T>> findStored(Index<T, V> index, String partitionKey, V value);

    /**
     * Returns the first page of a lookup; see {@link IndexedTable#page(IndexLookup)}.
     *
     * @param lookup the lookup with its page size
     * @return the page
     */
    Mono<Query.Page<T>> page(IndexLookup<T> lookup);

    /**
     * Returns the page after another one; see {@link IndexedTable#page(IndexLookup, String)}.
     *
     * @param lookup the lookup
     * @param token the token of a page of this lookup
     * @return the page
     */
    Mono<Query.Page<T>> page(IndexLookup<T> lookup, String token);

    /**
     * Returns the first page of a lookup with ETags; see {@link IndexedTable#pageStored(IndexLookup)}.
     *
     * @param lookup the lookup with its page size
     * @return the page
     */
    Mono<Query.Page<StoredEntity<T>>> pageStored(IndexLookup<T> lookup);

    /**
     * Returns the page after another one with ETags; see {@link IndexedTable#pageStored(IndexLookup, String)}.
     *
     * @param lookup the lookup
     * @param token the token of a page of this lookup
     * @return the page
     */
    Mono<Query.Page<StoredEntity<T>>> pageStored(IndexLookup<T> lookup, String token);

    /**
     * Mends the index rows of one partition; see {@link IndexedTable#repair(String)}.
     *
     * @param partitionKey the partition
     * @return what it found and did
     */
    Mono<IndexReport> repair(String partitionKey);

    /**
     * Mends the index rows of the whole table; see {@link IndexedTable#repair()}.
     *
     * @return what it found and did
     */
    default Mono<IndexReport> repair() {
        return repair((partition, report) -> {});
    }

    /**
     * Mends the index rows of the whole table and reports its progress; see {@link IndexedTable#repair(Consumer)}.
     *
     * @param progress is given the progress after each partition
     * @return what it found and did
     */
    Mono<IndexReport> repair(BiConsumer<? super String, ? super IndexReport> progress);

    /**
     * Continues a repair; see {@link IndexedTable#repairFrom}.
     *
     * @param partitionKey the first partition
     * @param progress is given the progress after each partition
     * @return what it found and did
     */
    Mono<IndexReport> repairFrom(String partitionKey, BiConsumer<? super String, ? super IndexReport> progress);

    /**
     * Opens a writer for an import; see {@link IndexedTable#entityWriter}.
     *
     * @param settings how it buffers, waits and ends
     * @return the writer, to be closed
     */
    ReactiveTableWriter<T> entityWriter(UnaryOperator<WriterSettings.Builder> settings);

    /**
     * Writes the references of all entities, and verifies all index rows; see {@link IndexedTable#backfill}.
     *
     * @param progress is given after each partition its key and the report so far, on the callback threads
     * @return the report
     */
    Mono<IndexReport> backfill(BiConsumer<? super String, ? super IndexReport> progress);

    /**
     * Continues a backfill that was broken off; see {@link IndexedTable#backfillFrom}.
     *
     * @param partitionKey the first partition, as the last progress has it
     * @param progress is given after each partition its key and the report so far, on the callback threads
     * @return the report from there on
     */
    Mono<IndexReport> backfillFrom(String partitionKey, BiConsumer<? super String, ? super IndexReport> progress);
}
