package io.stowline.ring;

import io.stowline.error.NotFoundException;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.retry.RetrySettings;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.WriterSettings;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A table that exists in all accounts of a region, each with the partitions whose placements it has.
 *
 * <pre>{@code
 * RingTable<Runner> runners = ring.table("registrations", Runner.class);
 * runners.createIfMissing();
 * runners.insert(runner);
 * List<Runner> all = runners.query().list();
 * }</pre>
 *
 * <p>Each verb that has keys goes to the account of the partition, and has the outcome, the retries and the failures of the verb of
 * {@link Table}. {@link FailedAccountException#accountOf} names the account of a failure.
 *
 * <p><b>What a ring refuses</b>: a transaction has one partition, so it works, with at most {@value #MAX_OPERATIONS} operations. An index or
 * a unique value over several accounts would need a transaction across them, which the service does not have; {@link StowlineRing#client}
 * has the indexes of one account. Row keys that begin with {@code !stowline.ring.} are reserved.
 *
 * <p>Thread-safe; blocks, and works on platform and virtual threads.
 *
 * @param <T> a record with {@code @PartitionKey} and {@code @RowKey}, a sealed interface of such records, or {@link io.stowline.table.Entity}
 */
public interface RingTable<T> {

    /** The largest number of operations of a transaction: one less than that of the service, which the ring keeps for itself. */
    int MAX_OPERATIONS = 99;

    /**
     * Returns the table's name.
     *
     * @return the name, the same in all accounts
     */
    String name();

    /**
     * Returns the account of a partition, after the change if an account joins or leaves.
     *
     * @param partitionKey the partition
     * @return the name of the account in the ring
     */
    String accountOf(String partitionKey);

    /**
     * Creates the table in each account where it does not exist.
     *
     * @return whether any was made
     */
    boolean createIfMissing();

    /**
     * Returns whether the table exists in all accounts.
     *
     * @return whether it does
     */
    boolean exists();

    /**
     * Removes the table with all its entities from all accounts.
     *
     * @return whether it was there in any
     */
    boolean dropIfExists();

    /**
     * Inserts an entity that must not exist yet; see {@link Table#insert}.
     *
     * @param value the entity
     * @return what was written
     * @throws io.stowline.error.ConflictException if there is one with these keys
     */
    WriteResult insert(T value);

    /**
     * Inserts an entity, or sets its properties on the existing one; see {@link Table#insertOrMerge}.
     *
     * @param value the entity
     * @return what was written
     */
    WriteResult insertOrMerge(T value);

    /**
     * Inserts an entity, or replaces the existing one; see {@link Table#insertOrReplace}.
     *
     * @param value the entity
     * @return what was written
     */
    WriteResult insertOrReplace(T value);

    /**
     * Sets properties on the version that was read, and on no other; see {@link Table#merge(StoredEntity)}.
     *
     * @param stored the properties to set with the ETag of that version
     * @return what was written
     * @throws io.stowline.error.PreconditionFailedException if the entity has changed since
     * @throws NotFoundException if it is gone
     */
    WriteResult merge(StoredEntity<T> stored);

    /**
     * Replaces the version that was read, and no other; see {@link Table#replace}.
     *
     * @param stored the new value with the ETag of that version
     * @return what was written
     * @throws io.stowline.error.PreconditionFailedException if the entity has changed since
     * @throws NotFoundException if it is gone
     */
    WriteResult replace(StoredEntity<T> stored);

    /**
     * Removes the version that was read, and no other; see {@link Table#delete(StoredEntity)}.
     *
     * @param stored the entity with the ETag of that version
     * @return that it is gone
     * @throws io.stowline.error.PreconditionFailedException if the entity has changed since
     * @throws NotFoundException if it is gone
     */
    WriteResult delete(StoredEntity<T> stored);

    /**
     * Removes the entity that has the keys of a value, whatever its version; see {@link Table#delete(Object)}.
     *
     * @param value the entity, of which only the keys count
     * @return that it is gone
     * @throws NotFoundException if there was none for certain
     */
    WriteResult delete(T value);

    /**
     * Removes an entity whatever its version; see {@link Table#delete(String, String)}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return that it is gone
     * @throws NotFoundException if there was none for certain
     */
    WriteResult delete(String partitionKey, String rowKey);

    /**
     * Removes an entity if it is there.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return false if there was none for certain; true if it was removed, or if after a lost response it is gone
     */
    boolean deleteIfExists(String partitionKey, String rowKey);

    /**
     * Reads one entity.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag, if there is one
     */
    Optional<StoredEntity<T>> find(String partitionKey, String rowKey);

    /**
     * Reads entities by their keys, from all accounts at once; see {@link Table#findAll}. Duplicate keys are read once.
     *
     * @param keys the keys, of any partitions
     * @return the entities that exist, in the order of the keys
     */
    List<StoredEntity<T>> findAll(Collection<EntityKey> keys);

    /**
     * Reads an entity, changes it and replaces the version that was read; see {@link Table#modify}.
     *
     * @param partitionKey the entity's partition
     * @param rowKey its key there
     * @param change makes the new value from the one that was read, with the same keys
     * @return the entity as it is afterwards; empty if there is none
     * @throws io.stowline.error.PreconditionFailedException if other clients were faster until the deadline
     */
    Optional<StoredEntity<T>> modify(String partitionKey, String rowKey, UnaryOperator<T> change);

    /**
     * Begins a condition on a component of this table's type, for {@link RingQuery#where}; see {@link Table#property}.
     *
     * @param name a component, a path such as {@code address.city}, or the property's name in the table
     * @return what to compare
     */
    FilterProperty property(String name);

    /**
     * Begins a query.
     *
     * @return a query for the partitions of all accounts of the region
     */
    RingQuery<T> query();

    /**
     * Begins an entity group transaction: operations on one partition that happen all or not at all.
     *
     * @param partitionKey the partition of all its operations
     * @return a transaction without operations
     */
    RingTransaction<T> transaction(String partitionKey);

    /**
     * Opens a writer with the default settings.
     *
     * @return the writer; close it
     */
    default RingWriter<T> writer() {
        return writer(settings -> settings);
    }

    /**
     * Opens a writer over all accounts.
     *
     * @param settings changes the default settings of the writer of each account; the bounds of its buffer hold for one account
     * @return the writer; close it
     */
    RingWriter<T> writer(UnaryOperator<WriterSettings.Builder> settings);

    /**
     * Returns the same table with other retry settings, for all or for a single call.
     *
     * @param settings changes the settings that this table has
     * @return the narrowed table; making it costs nothing
     */
    RingTable<T> withRetry(UnaryOperator<RetrySettings.Builder> settings);

    /**
     * Returns the same table with other writes that leave a marker by which they are known again after a lost response.
     *
     * @param markers which writes leave one, {@link WriteMarkers#DECISIVE} unless set
     * @return the narrowed table; making it costs nothing
     */
    RingTable<T> withMarkers(WriteMarkers markers);
}
