package io.stowline.table;

import io.stowline.caching.Freshness;
import io.stowline.outcome.WriteMarkers;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
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
public final class ReactiveTable<T> {

    private final TableContext<T> context;

    ReactiveTable(TableContext<T> context) {
        this.context = context;
    }

    /**
     * Returns the table's name.
     *
     * @return the name
     */
    public String name() {
        return context.operations().table();
    }

    /**
     * Creates the table; see {@link Table#create}.
     *
     * @return the end of it
     */
    public Mono<Void> create() {
        return delivered(context.operations().create());
    }

    /**
     * Creates the table unless it exists; see {@link Table#createIfMissing}.
     *
     * @return whether it was made
     */
    public Mono<Boolean> createIfMissing() {
        return delivered(context.operations().createIfMissing());
    }

    /**
     * Returns whether the table exists; see {@link Table#exists}.
     *
     * @return whether it exists
     */
    public Mono<Boolean> exists() {
        return delivered(context.operations().exists());
    }

    /**
     * Removes the table; see {@link Table#drop}.
     *
     * @return the end of it
     */
    public Mono<Void> drop() {
        return delivered(context.operations().delete());
    }

    /**
     * Removes the table if it is there; see {@link Table#dropIfExists}.
     *
     * @return whether it was there
     */
    public Mono<Boolean> dropIfExists() {
        return delivered(context.operations().deleteIfExists());
    }

    /**
     * Inserts an entity; see {@link Table#insert}.
     *
     * @param value the entity
     * @return what was written
     */
    public Mono<EntityWriteResult> insert(T value) {
        return write(() -> context.encode(EntityVerb.INSERT, value));
    }

    /**
     * Inserts an entity, and succeeds only if it is certain that this call created it; see {@link Table#claim}.
     *
     * @param value the entity
     * @return what was written
     */
    public Mono<EntityWriteResult> claim(T value) {
        return delivered(Mono.defer(
                () -> context.operations().claim(UserCode.call(() -> context.encode(EntityVerb.INSERT, value)))));
    }

    /**
     * Inserts an entity, or merges into the existing one; see {@link Table#insertOrMerge}.
     *
     * @param value the entity
     * @return what was written
     */
    public Mono<EntityWriteResult> insertOrMerge(T value) {
        return write(() -> context.encode(EntityVerb.INSERT_OR_MERGE, value));
    }

    /**
     * Inserts an entity, or replaces the existing one; see {@link Table#insertOrReplace}.
     *
     * @param value the entity
     * @return what was written
     */
    public Mono<EntityWriteResult> insertOrReplace(T value) {
        return write(() -> context.encode(EntityVerb.INSERT_OR_REPLACE, value));
    }

    /**
     * Replaces the version that was read; see {@link Table#replace}.
     *
     * @param stored the new value with the ETag of that version
     * @return what was written
     */
    public Mono<EntityWriteResult> replace(StoredEntity<T> stored) {
        return write(() -> context.encode(EntityVerb.REPLACE, stored));
    }

    /**
     * Merges into the version that was read; see {@link Table#merge}.
     *
     * @param stored the properties to set with the ETag of that version
     * @return what was written
     */
    public Mono<EntityWriteResult> merge(StoredEntity<T> stored) {
        return write(() -> context.encode(EntityVerb.MERGE, stored));
    }

    /**
     * Begins a partial update; see {@link Table#merge(String, String)}.
     *
     * @param partitionKey the entity's partition
     * @param rowKey its key there
     * @return a merge that sets nothing yet
     * @throws IllegalArgumentException if a key is not allowed
     */
    public ReactiveEntityMerge<T> merge(String partitionKey, String rowKey) {
        return new ReactiveEntityMerge<>(EntityMergePlan.of(context, partitionKey, rowKey));
    }

    /**
     * Removes the version that was read; see {@link Table#delete(StoredEntity)}.
     *
     * @param stored the entity with the ETag of that version
     * @return that it is gone
     */
    public Mono<EntityWriteResult> delete(StoredEntity<T> stored) {
        return write(() -> context.encodeDelete(stored));
    }

    /**
     * Removes an entity by the keys of a value; see {@link Table#delete(Object)}.
     *
     * @param value the entity
     * @return that it is gone
     */
    public Mono<EntityWriteResult> delete(T value) {
        return write(() -> context.encodeDelete(value));
    }

    /**
     * Removes an entity whatever its version; see {@link Table#delete(String, String)}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return that it is gone
     */
    public Mono<EntityWriteResult> delete(String partitionKey, String rowKey) {
        return write(() -> context.encodeDelete(partitionKey, rowKey));
    }

    /**
     * Removes an entity if it is there; see {@link Table#deleteIfExists}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return false if there was none for certain; true if it was removed, or if after a lost response it is gone
     */
    public Mono<Boolean> deleteIfExists(String partitionKey, String rowKey) {
        return delivered(
                Mono.defer(() -> context.operations().deleteIfExists(context.encodeDelete(partitionKey, rowKey))));
    }

    /**
     * Reads one entity; see {@link Table#find}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag; empty if there is none
     */
    public Mono<StoredEntity<T>> find(String partitionKey, String rowKey) {
        PointReads<T> reads = new PointReads<>(context);
        return delivered(Mono.defer(() -> reads.one(new EntityKey(partitionKey, rowKey))))
                .map(UserCode.contained(reads::decoded));
    }

    /**
     * Reads entities by their keys; see {@link Table#findAll}.
     *
     * @param keys the keys
     * @return those that exist, in the order of the keys
     */
    public Mono<List<StoredEntity<T>>> findAll(Collection<EntityKey> keys) {
        Objects.requireNonNull(keys, "keys");
        PointReads<T> reads = new PointReads<>(context);
        return context.service()
                .delivered(Flux.defer(() -> reads.all(keys)))
                .map(UserCode.contained(reads::decoded))
                .collectList()
                .map(Collections::unmodifiableList);
    }

    /**
     * Reads an entity, changes it and replaces the version that was read; see {@link Table#modify}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @param change makes the new value; runs on the callback threads, once a round
     * @return the entity as it is afterwards; empty if there is none
     */
    public Mono<StoredEntity<T>> modify(String partitionKey, String rowKey, UnaryOperator<T> change) {
        Objects.requireNonNull(change, "change");
        return Mono.defer(() -> new EntityModification<>(context, partitionKey, rowKey, change).mono());
    }

    /**
     * Begins a condition on a component of this table's type; see {@link Table#property}.
     *
     * @param name a component, a path, or the property's name in the table
     * @return what to compare
     */
    public FilterProperty property(String name) {
        Objects.requireNonNull(name, "name");
        return context.codec().property(name);
    }

    /**
     * Begins a query; see {@link Table#query}.
     *
     * @return a query for the whole table
     */
    public ReactiveQuery<T> query() {
        return new ReactiveQuery<>(QueryPlan.of(context));
    }

    /**
     * Begins an explicit transaction; see {@link Table#transaction}.
     *
     * @param partitionKey the partition of all its operations
     * @return a transaction without operations
     */
    public ReactiveTransaction<T> transaction(String partitionKey) {
        return new ReactiveTransaction<>(new TransactionPlan<>(context, partitionKey));
    }

    /**
     * Opens a writer with the default settings; see {@link Table#writer()}.
     *
     * @return the writer
     */
    public ReactiveTableWriter<T> writer() {
        return writer(settings -> settings);
    }

    /**
     * Opens a writer; see {@link Table#writer(UnaryOperator)}.
     *
     * @param settings changes the default settings
     * @return the writer
     */
    public ReactiveTableWriter<T> writer(UnaryOperator<io.stowline.table.WriterSettings.Builder> settings) {
        return new ReactiveTableWriter<>(new LaneWriter<>(context, settings));
    }

    /**
     * Opens a writer with a journal; see {@link Table#writer(WriterJournal, UnaryOperator)}.
     *
     * @param journal where its operations are kept
     * @param settings changes the default settings
     * @return the writer
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table
     */
    public ReactiveTableWriter<T> writer(
            WriterJournal journal, UnaryOperator<io.stowline.table.WriterSettings.Builder> settings) {
        return new ReactiveTableWriter<>(
                new LaneWriter<>(context, settings, Objects.requireNonNull(journal, "journal")));
    }

    /**
     * Returns the same table seen as another type; see {@link Table#as}.
     *
     * @param view a type with keys, or {@link Entity}
     * @param <R> that type
     * @return the table with the settings of this one
     * @throws IllegalArgumentException if the type cannot be mapped or lacks a key
     */
    public <R> ReactiveTable<R> as(Class<R> view) {
        return new ReactiveTable<>(context.as(view));
    }

    /**
     * Returns a time series in the rows of this table; see {@link Table#series}.
     *
     * @param name what the names of its properties begin with
     * @param values the Java type of the values
     * @param layout which period is a row and how many slots it has
     * @param <V> the Java type of the values
     * @return the series
     * @throws IllegalArgumentException if the name makes no property names, or no property can hold the values
     */
    public <V> ReactiveTimeSeries<V> series(String name, Class<V> values, TimeSeries.Layout layout) {
        TimeSeriesSlots<V> slots = new TimeSeriesSlots<>(name, values, layout);
        return new ReactiveTimeSeries<>(
                new ReactiveTable<>(context.with(new EntityObjectCodec(slots.select()))), slots);
    }

    /**
     * Returns the same table with other writes that leave a mark; see {@link Table#withMarkers}.
     *
     * @param markers which writes leave one
     * @return the narrowed table
     */
    public ReactiveTable<T> withMarkers(WriteMarkers markers) {
        return new ReactiveTable<>(context.with(markers));
    }

    /**
     * Returns the same table with one more header on all its requests; see {@link Table#withHeader}.
     *
     * @param name its name
     * @param value its value
     * @return the narrowed table
     */
    public ReactiveTable<T> withHeader(String name, String value) {
        return new ReactiveTable<>(context.header(name, value));
    }

    /**
     * Returns the same table with other retry settings; see {@link Table#withRetry}.
     *
     * @param settings changes the settings that this table has
     * @return the narrowed table
     */
    public ReactiveTable<T> withRetry(UnaryOperator<RetrySettings.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        return new ReactiveTable<>(context.with(
                settings.apply(context.operations().retry().toBuilder()).build()));
    }

    /**
     * Returns the same table with reads that may go to the secondary; see {@link Table#withReadPreference}.
     *
     * @param source where safe reads go
     * @return the narrowed table
     */
    public ReactiveTable<T> withReadPreference(ReadFrom source) {
        return new ReactiveTable<>(context.with(source));
    }

    /**
     * Returns the same table with indexes; see {@link Table#indexed}.
     *
     * @param indexes the indexes, 1 to 7 of different names
     * @return the table with its indexes
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is copied
    public final ReactiveIndexedTable<T> indexed(Index<T, ?>... indexes) {
        Objects.requireNonNull(indexes, "indexes");
        return new ReactiveIndexedTable<>(IndexedContext.of(context, Arrays.asList(indexes)));
    }

    /**
     * Returns the same table with other rules for queries that scan it; see {@link Table#withScanPolicy}.
     *
     * @param policy what becomes of them
     * @return the narrowed table
     */
    public ReactiveTable<T> withScanPolicy(ScanPolicy policy) {
        return new ReactiveTable<>(context.with(Objects.requireNonNull(policy, "policy")));
    }

    /**
     * Returns a cached view that reads single entities without a request each time; see {@link Table#cached}.
     *
     * @param freshness for how long what was read counts as the present state
     * @return the cached reads
     */
    public ReactiveCachedTable<T> cached(Freshness freshness) {
        return new ReactiveCachedTable<>(context, freshness);
    }

    private Mono<EntityWriteResult> write(Supplier<EncodedOperation> operation) {
        return delivered(Mono.defer(() -> context.write(UserCode.call(operation))));
    }

    private <R> Mono<R> delivered(Mono<R> result) {
        return context.service().delivered(result);
    }

    @Override
    public String toString() {
        return "ReactiveTable[" + name() + "]";
    }
}
