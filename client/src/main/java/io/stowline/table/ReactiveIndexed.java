package io.stowline.table;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of {@link Indexed}: the same verbs, as {@code Mono} and {@code Flux}. Nothing is sent before a subscription, and
 * each subscription is an operation of its own. One that is cancelled sends nothing more: index rows elsewhere may then be left for a
 * repair.
 *
 * <p>Thread-safe. Failures are those of {@link Indexed}.
 *
 * @param <T> the table's type
 */
public final class ReactiveIndexed<T> {

    private final IndexedScope<T> scope;
    private final IndexedWrites<T> writes;
    private final IndexedReads<T> reads;
    private final IndexRepair<T> repair;

    ReactiveIndexed(IndexedScope<T> scope) {
        this.scope = scope;
        this.writes = new IndexedWrites<>(scope);
        this.reads = new IndexedReads<>(scope);
        this.repair = new IndexRepair<>(scope);
    }

    /**
     * The table itself, whose queries leave the index rows out; see {@link Indexed#table}.
     *
     * @return the table
     */
    public ReactiveTable<T> table() {
        return new ReactiveTable<>(scope.view().always(scope.entities()));
    }

    /**
     * Makes an entity; see {@link Indexed#insert}.
     *
     * @param value the entity
     * @return what was written of the entity
     */
    public Mono<Written> insert(T value) {
        return writes.insert(value);
    }

    /**
     * Makes an entity or takes its place; see {@link Indexed#put}.
     *
     * @param value the entity
     * @return what was written of the entity
     */
    public Mono<Written> put(T value) {
        return writes.put(value);
    }

    /**
     * Takes the place of the version that was read; see {@link Indexed#replace}.
     *
     * @param stored what was read
     * @param changed the new value
     * @return what was written of the entity
     */
    public Mono<Written> replace(Stored<T> stored, T changed) {
        return writes.replace(stored, changed);
    }

    /**
     * Removes the version that was read; see {@link Indexed#delete}.
     *
     * @param stored what was read
     * @return that it is gone
     */
    public Mono<Written> delete(Stored<T> stored) {
        return writes.delete(stored);
    }

    /**
     * Reads one entity by its keys; see {@link Indexed#find(String, String)}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag; empty if there is none
     */
    public Mono<Stored<T>> find(String partitionKey, String rowKey) {
        return reads.entity(partitionKey, rowKey);
    }

    /**
     * Reads one entity by its value of a unique index; see {@link Indexed#find(String, String, String)}.
     *
     * @param index the index's name
     * @param partitionKey the entity's partition
     * @param value its value
     * @return the entity; empty if there is none
     */
    public Mono<T> find(String index, String partitionKey, String value) {
        return reads.copy(index, partitionKey, value);
    }

    /**
     * Begins a query over the entities themselves; see {@link Indexed#query}.
     *
     * @return a query for the whole table
     */
    public ReactiveQuery<T> query() {
        return new ReactiveQuery<>(reads.entities());
    }

    /**
     * The entities of a partition in the order of an index; see {@link Indexed#stream(String, String)}.
     *
     * @param index the index's name
     * @param partitionKey the partition
     * @return the entities that the index has
     */
    public Flux<T> stream(String index, String partitionKey) {
        return Flux.defer(() -> new ReactiveQuery<>(reads.copies(index, partitionKey)).stream());
    }

    /**
     * The entities of a partition that have a value; see {@link Indexed#stream(String, String, String)}.
     *
     * @param index the index's name
     * @param partitionKey the partition
     * @param value the value
     * @return the entities
     */
    public Flux<T> stream(String index, String partitionKey, String value) {
        return Flux.defer(() -> new ReactiveQuery<>(reads.copies(index, partitionKey, value)).stream());
    }

    /**
     * The entities of a partition whose values are in a range; see {@link Indexed#range}.
     *
     * @param index the index's name
     * @param partitionKey the partition
     * @param from the first value of the range
     * @param below the first value after the range
     * @return the entities
     */
    public Flux<T> range(String index, String partitionKey, String from, String below) {
        return Flux.defer(() -> new ReactiveQuery<>(reads.copies(index, partitionKey, from, below)).stream());
    }

    /**
     * The entities of all partitions that have a value of an index elsewhere; see {@link Indexed#elsewhere}. Eight are read at a time.
     *
     * @param index the index's name
     * @param value the value
     * @return the entities with their ETags, in the order of their keys
     */
    public Flux<Stored<T>> elsewhere(String index, String value) {
        return reads.elsewhere(index, value);
    }

    /**
     * Mends the index rows of one partition; see {@link Indexed#repair(String)}.
     *
     * @param partitionKey the partition
     * @return what it found and did
     */
    public Mono<IndexReport> repair(String partitionKey) {
        return Mono.defer(() -> repair.partition(partitionKey));
    }

    /**
     * Mends the index rows of the whole table; see {@link Indexed#repair()}.
     *
     * @return what it found and did
     */
    public Mono<IndexReport> repair() {
        return repair.table();
    }

    @Override
    public String toString() {
        return "ReactiveIndexed[" + scope.table() + "]";
    }
}
