package io.stowline.spring.boot.repository;

import io.stowline.outcome.WriteResult;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.ReactiveTable;
import io.stowline.table.StoredEntity;
import reactor.core.publisher.Mono;

/**
 * A repository with the methods of {@link TableRepository} without blocking. Its derived methods return a {@code Mono} of one entity, a {@code Flux},
 * a {@code Mono<Query.Page<Runner>>}, a {@code Mono<Boolean>} or a {@code Mono<Void>}.
 *
 * <pre>{@code
 * interface ReactiveRunners extends ReactiveTableRepository<Runner> {
 *     Flux<Runner> findByRace(String race);
 *     Mono<StoredEntity<Runner>> findByRaceAndBib(String race, String bib);
 * }
 * }</pre>
 *
 * @param <T> the type of the table's entities
 */
public interface ReactiveTableRepository<T> extends StowlineRepository<T> {

    /**
     * Returns the table; see {@link TableRepository#table}.
     *
     * @return the table
     */
    ReactiveTable<T> table();

    /**
     * Returns the table with the indexes of this repository.
     *
     * @return the table, whose writes keep the index rows
     * @throws IllegalStateException if the repository has no index
     */
    ReactiveIndexedTable<T> indexed();

    /**
     * Reads one entity; see {@link TableRepository#find}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag; empty if there is none
     */
    Mono<StoredEntity<T>> find(String partitionKey, String rowKey);

    /**
     * Inserts an entity that must not exist yet; see {@link TableRepository#insert}.
     *
     * @param value the entity
     * @return what was written
     */
    Mono<WriteResult> insert(T value);

    /**
     * Inserts an entity, and succeeds only if this call certainly created it; see {@link TableRepository#claim}.
     *
     * @param value the entity
     * @return what was written; an {@link UnsupportedOperationException} if the repository has indexes
     */
    Mono<WriteResult> claim(T value);

    /**
     * Inserts an entity, or replaces the existing one; see {@link TableRepository#insertOrReplace}.
     *
     * @param value the entity
     * @return what was written
     */
    Mono<WriteResult> insertOrReplace(T value);

    /**
     * Replaces the version that was read, and no other; see {@link TableRepository#replace}.
     *
     * @param stored an entity that was read, {@link StoredEntity#with} the new value
     * @return what was written
     */
    Mono<WriteResult> replace(StoredEntity<T> stored);

    /**
     * Removes the version that was read, and no other; see {@link TableRepository#delete}.
     *
     * @param stored what was read
     * @return that it is gone
     */
    Mono<WriteResult> delete(StoredEntity<T> stored);

    /**
     * Removes an entity if it is there; see {@link TableRepository#deleteIfExists}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return false if there was none for certain
     */
    Mono<Boolean> deleteIfExists(String partitionKey, String rowKey);

    /**
     * Begins a query over the whole table; see {@link TableRepository#query()}.
     *
     * @return a query, without index rows
     */
    ReactiveQuery<T> query();

    /**
     * Begins a query over one partition.
     *
     * @param partitionKey the partition
     * @return a query, without index rows
     */
    ReactiveQuery<T> query(String partitionKey);
}
