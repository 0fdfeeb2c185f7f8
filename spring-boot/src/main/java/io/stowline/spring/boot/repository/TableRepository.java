package io.stowline.spring.boot.repository;

import io.stowline.outcome.WriteResult;
import io.stowline.table.IndexedTable;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.util.Optional;

/**
 * A repository of the entities of one table, which an application extends by methods that are derived from their names:
 *
 * <pre>{@code
 * interface Runners extends TableRepository<Runner> {
 *     Optional<StoredEntity<Runner>> findByRaceAndBib(String race, String bib);
 *     List<Runner> findByRace(String race);
 *     Query.Page<Runner> findByRaceAndBibStartingWith(String race, String prefix, int size, Optional<String> token);
 *     boolean existsByRaceAndBib(String race, String bib);
 * }
 * }</pre>
 *
 * <p>A name is {@code findBy}, {@code existsBy} or {@code deleteBy}, and the properties that must match: the components of the keys, the parts of
 * their {@link TableRepositoryFactory#rowKey formats}, and the names of {@link TableRepositoryFactory#index indexes}. A method whose lookup is no
 * point read, no range of one partition and no lookup by an index is refused when the repository is made. Default methods hold all else.
 *
 * <p>Results are entities, or {@link StoredEntity} with their ETags: an {@code Optional} of one, a {@code List}, a {@code Stream} that the
 * caller closes, or a {@link Query.Page} for the last parameters {@code int size} and {@code Optional<String> token}.
 *
 * <p>A repository with indexes writes their rows, too. Thread-safe; failures are those of {@link Table}.
 *
 * @param <T> the type of the table's entities
 */
public interface TableRepository<T> extends StowlineRepository<T> {

    /**
     * Returns the table, for all that a repository does not have. Its queries leave index rows out; its writes do not keep them.
     *
     * @return the table
     */
    Table<T> table();

    /**
     * Returns the table with the indexes of this repository.
     *
     * @return the table, whose writes keep the index rows
     * @throws IllegalStateException if the repository has no index
     */
    IndexedTable<T> indexed();

    /**
     * Reads one entity: one request.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag, if there is one
     */
    Optional<StoredEntity<T>> find(String partitionKey, String rowKey);

    /**
     * Inserts an entity that must not exist yet; see {@link Table#insert}.
     *
     * @param value the entity
     * @return what was written
     * @throws io.stowline.error.ConflictException if there is one with these keys, or with its value of a unique index
     */
    WriteResult insert(T value);

    /**
     * Inserts an entity, and succeeds only if this call certainly created it; see {@link Table#claim}.
     *
     * @param value the entity
     * @return what was written
     * @throws io.stowline.error.ConflictException if another client inserted it
     * @throws io.stowline.error.OutcomeUnknownException if it is unknown which client inserted it
     * @throws UnsupportedOperationException if the repository has indexes: a claim is one request, and index rows need more
     */
    WriteResult claim(T value);

    /**
     * Inserts an entity, or replaces the existing one; see {@link Table#insertOrReplace}.
     *
     * @param value the entity
     * @return what was written
     */
    WriteResult insertOrReplace(T value);

    /**
     * Replaces the version that was read, and no other; see {@link Table#replace}.
     *
     * @param stored an entity that was read, {@link StoredEntity#with} the new value
     * @return what was written
     * @throws io.stowline.error.PreconditionFailedException if the entity has changed since
     * @throws io.stowline.error.NotFoundException if it is gone
     */
    WriteResult replace(StoredEntity<T> stored);

    /**
     * Removes the version that was read, and no other; see {@link Table#delete(StoredEntity)}.
     *
     * @param stored what was read
     * @return that it is gone
     * @throws io.stowline.error.PreconditionFailedException if the entity has changed since
     * @throws io.stowline.error.NotFoundException if it is gone
     */
    WriteResult delete(StoredEntity<T> stored);

    /**
     * Removes an entity if it is there: one request, and with indexes a read before it.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return false if there was none for certain
     * @throws io.stowline.error.PreconditionFailedException if the repository has indexes and another client changes the entity in between
     */
    boolean deleteIfExists(String partitionKey, String rowKey);

    /**
     * Begins a query over the whole table: a scan until conditions on the keys narrow it. {@link Query#queryClass} shows how much it reads.
     *
     * @return a query, without index rows
     */
    Query<T> query();

    /**
     * Begins a query over one partition.
     *
     * @param partitionKey the partition
     * @return a query, without index rows
     */
    Query<T> query(String partitionKey);
}
