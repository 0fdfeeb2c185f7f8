package io.stowline.table;

import io.stowline.access.ReactiveAccessPolicies;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.TableSasBuilder;
import io.stowline.caching.Freshness;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link Table}: the same methods, as {@code Mono} and {@code Flux}. Nothing is sent before a subscription. Each
 * subscription starts a separate operation; cancelling it sends nothing more. Results arrive on the callback threads, not on an I/O thread
 * unless {@code callbacks(Runnable::run)} was set, so that user code cannot stall the transport.
 *
 * <p>Thread-safe. Failures are those of {@link Table}.
 *
 * @param <T> a record, or {@link Entity}
 */
public interface ReactiveTable<T> {

    /**
     * Returns the table's name.
     *
     * @return the name
     */
    String name();

    /**
     * Creates the table; see {@link Table#create}.
     *
     * @return the end of it
     */
    Mono<Void> create();

    /**
     * Creates the table unless it exists; see {@link Table#createIfMissing}.
     *
     * @return whether it was made
     */
    Mono<Boolean> createIfMissing();

    /**
     * Returns whether the table exists; see {@link Table#exists}.
     *
     * @return whether it exists
     */
    Mono<Boolean> exists();

    /**
     * Removes the table; see {@link Table#drop}.
     *
     * @return the end of it
     */
    Mono<Void> drop();

    /**
     * Removes the table if it is there; see {@link Table#dropIfExists}.
     *
     * @return whether it was there
     */
    Mono<Boolean> dropIfExists();

    /**
     * Begins a signature that opens this table for others; see {@link Table#sas}.
     *
     * @return its builder
     */
    TableSasBuilder<Mono<SharedAccessSignature>> sas();

    /**
     * Returns the stored access policies of this table; see {@link Table#policies()}.
     *
     * @return its policies; making them costs nothing
     */
    ReactiveAccessPolicies<TableSasBuilder<?>> policies();

    /**
     * Inserts an entity; see {@link Table#insert}.
     *
     * @param value the entity
     * @return what was written
     */
    Mono<WriteResult> insert(T value);

    /**
     * Inserts an entity, and succeeds only if it is certain that this call created it; see {@link Table#claim}.
     *
     * @param value the entity
     * @return what was written
     */
    Mono<WriteResult> claim(T value);

    /**
     * Inserts an entity, or merges into the existing one; see {@link Table#insertOrMerge}.
     *
     * @param value the entity
     * @return what was written
     */
    Mono<WriteResult> insertOrMerge(T value);

    /**
     * Inserts an entity, or replaces the existing one; see {@link Table#insertOrReplace}.
     *
     * @param value the entity
     * @return what was written
     */
    Mono<WriteResult> insertOrReplace(T value);

    /**
     * Replaces the version that was read; see {@link Table#replace}.
     *
     * @param stored the new value with the ETag of that version
     * @return what was written
     */
    Mono<WriteResult> replace(StoredEntity<T> stored);

    /**
     * Merges into the version that was read; see {@link Table#merge}.
     *
     * @param stored the properties to set with the ETag of that version
     * @return what was written
     */
    Mono<WriteResult> merge(StoredEntity<T> stored);

    /**
     * Begins a partial update; see {@link Table#merge(String, String)}.
     *
     * @param partitionKey the entity's partition
     * @param rowKey its key there
     * @return a merge that sets nothing yet
     * @throws IllegalArgumentException if a key is not allowed
     */
    ReactiveEntityMerge<T> merge(String partitionKey, String rowKey);

    /**
     * Removes the version that was read; see {@link Table#delete(StoredEntity)}.
     *
     * @param stored the entity with the ETag of that version
     * @return that it is gone
     */
    Mono<WriteResult> delete(StoredEntity<T> stored);

    /**
     * Removes an entity by the keys of a value; see {@link Table#delete(Object)}.
     *
     * @param value the entity
     * @return that it is gone
     */
    Mono<WriteResult> delete(T value);

    /**
     * Removes an entity whatever its version; see {@link Table#delete(String, String)}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return that it is gone
     */
    Mono<WriteResult> delete(String partitionKey, String rowKey);

    /**
     * Removes an entity if it is there; see {@link Table#deleteIfExists}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return false if there was none for certain; true if it was removed, or if after a lost response it is gone
     */
    Mono<Boolean> deleteIfExists(String partitionKey, String rowKey);

    /**
     * Reads one entity; see {@link Table#find}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag; empty if there is none
     */
    Mono<StoredEntity<T>> find(String partitionKey, String rowKey);

    /**
     * Reads entities by their keys; see {@link Table#findAll}.
     *
     * @param keys the keys
     * @return those that exist, in the order of the keys
     */
    Mono<List<StoredEntity<T>>> findAll(Collection<EntityKey> keys);

    /**
     * Reads an entity, changes it and replaces the version that was read; see {@link Table#modify}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @param change makes the new value; runs on the callback threads, once a round
     * @return the entity as it is afterwards; empty if there is none
     */
    Mono<StoredEntity<T>> modify(String partitionKey, String rowKey, UnaryOperator<T> change);

    /**
     * Begins a condition on a component of this table's type; see {@link Table#property}.
     *
     * @param name a component, a path, or the property's name in the table
     * @return what to compare
     */
    FilterProperty property(String name);

    /**
     * Begins a query; see {@link Table#query}.
     *
     * @return a query for the whole table
     */
    ReactiveQuery<T> query();

    /**
     * Begins an explicit transaction; see {@link Table#transaction}.
     *
     * @param partitionKey the partition of all its operations
     * @return a transaction without operations
     */
    ReactiveTransaction<T> transaction(String partitionKey);

    /**
     * Opens a writer with the default settings; see {@link Table#writer()}.
     *
     * @return the writer
     */
    default ReactiveTableWriter<T> writer() {
        return writer(settings -> settings);
    }

    /**
     * Opens a writer; see {@link Table#writer(UnaryOperator)}.
     *
     * @param settings changes the default settings
     * @return the writer
     */
    ReactiveTableWriter<T> writer(UnaryOperator<io.stowline.table.WriterSettings.Builder> settings);

    /**
     * Opens a writer with a journal; see {@link Table#writer(WriterJournal, UnaryOperator)}.
     *
     * @param journal where its operations are kept
     * @param settings changes the default settings
     * @return the writer
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table
     */
    ReactiveTableWriter<T> writer(
            WriterJournal journal, UnaryOperator<io.stowline.table.WriterSettings.Builder> settings);

    /**
     * Returns the same table seen as another type; see {@link Table#as}.
     *
     * @param view a type with keys, or {@link Entity}
     * @param <R> that type
     * @return the table with the settings of this one
     * @throws IllegalArgumentException if the type cannot be mapped or lacks a key
     */
    <R> ReactiveTable<R> as(Class<R> view);

    /**
     * Returns a time series in the rows of this table; see {@link Table#series(String, Class, TimeSeries.Layout)}.
     *
     * @param name what the names of its properties begin with
     * @param values the Java type of the values
     * @param layout which period is a row and how many slots it has
     * @param <V> the Java type of the values
     * @return the series
     * @throws IllegalArgumentException if the name makes no property names, or no property can hold the values
     */
    <V> ReactiveTimeSeries<V> series(String name, Class<V> values, TimeSeries.Layout layout);

    /**
     * Returns a time series of the last slots in one row of this table for each partition; see {@link Table#series(String, Class,
     * RollingSeries.Ring)}.
     *
     * @param name what the names of its properties begin with
     * @param values the Java type of the values
     * @param ring the length of a slot and the number of slots
     * @param <V> the Java type of the values
     * @return the series
     * @throws IllegalArgumentException if the name makes no property names, or no property can hold the values
     */
    <V> ReactiveRollingSeries<V> series(String name, Class<V> values, RollingSeries.Ring ring);

    /**
     * Returns the same table with other writes that leave a marker; see {@link Table#withMarkers}.
     *
     * @param markers which writes leave one
     * @return the narrowed table
     */
    ReactiveTable<T> withMarkers(WriteMarkers markers);

    /**
     * Returns the same table with one more header on all its requests; see {@link Table#withHeader}.
     *
     * @param name its name
     * @param value its value
     * @return the narrowed table
     */
    ReactiveTable<T> withHeader(String name, String value);

    /**
     * Returns the same table with other retry settings; see {@link Table#withRetry}.
     *
     * @param settings changes the settings that this table has
     * @return the narrowed table
     */
    ReactiveTable<T> withRetry(UnaryOperator<RetrySettings.Builder> settings);

    /**
     * Returns the same table with reads that may go to the secondary; see {@link Table#withReadPreference}.
     *
     * @param source where safe reads go
     * @return the narrowed table
     */
    ReactiveTable<T> withReadPreference(ReadFrom source);

    /**
     * Returns the same table with an index; see {@link Table#indexed(Index)}.
     *
     * @param index the index
     * @return the table with its index; making it costs nothing
     */
    default ReactiveIndexedTable<T> indexed(Index<T, ?> index) {
        return indexed(Collections.singletonList(index));
    }

    /**
     * Returns the same table with indexes; see {@link Table#indexed(List)}.
     *
     * @param indexes the indexes, 1 to 7 of different names
     * @return the table with its indexes
     */
    ReactiveIndexedTable<T> indexed(List<? extends Index<T, ?>> indexes);

    /**
     * Returns the same table with other rules for queries that scan it; see {@link Table#withScanPolicy}.
     *
     * @param policy what becomes of them
     * @return the narrowed table
     */
    ReactiveTable<T> withScanPolicy(ScanPolicy policy);

    /**
     * Returns a cached view that reads single entities without a request each time; see {@link Table#cached}.
     *
     * @param freshness for how long what was read counts as the present state
     * @return the cached reads
     */
    ReactiveCachedTable<T> cached(Freshness freshness);
}
