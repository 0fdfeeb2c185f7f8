package io.stowline.table;

import io.stowline.access.AccessPolicies;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.TableSasBuilder;
import io.stowline.caching.Freshness;
import io.stowline.error.NotFoundException;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A table of entities of one Java type.
 *
 * <p>Every operation is tried by the retry settings of this table until its deadline. Keys, names and sizes are checked before
 * anything is sent, with an {@link IllegalArgumentException} that names the property, its size and the limit. What the service
 * refuses is a {@link io.stowline.error.StorageException}, by meaning. An interrupt ends a wait at once with
 * {@link io.stowline.error.StorageInterruptedException}.
 *
 * <p>Thread-safe; works on platform and virtual threads, and refuses to block an event loop. {@link #reactive()} has the same methods
 * without blocking.
 *
 * @param <T> a record with {@code @PartitionKey} and {@code @RowKey}, a sealed interface of such records, or {@link Entity}
 */
public interface Table<T> {

    /**
     * Returns the table's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face of this table
     */
    ReactiveTable<T> reactive();

    /**
     * Creates the table. While a table of this name is still being deleted, which takes the service 40 seconds and more, it is tried again
     * within the deadline.
     *
     * @throws io.stowline.error.ConflictException if there is one of this name
     */
    void create();

    /**
     * Creates the table unless it exists.
     *
     * @return whether it was made
     */
    boolean createIfMissing();

    /**
     * Returns whether the table exists. The result may be out of date when it arrives; {@link #createIfMissing} needs no check before it.
     *
     * @return whether it exists
     */
    boolean exists();

    /**
     * Removes the table with all its entities.
     *
     * @throws NotFoundException if there is none
     */
    void drop();

    /**
     * Removes the table with all its entities if it is there.
     *
     * @return whether it was there
     */
    boolean dropIfExists();

    /**
     * Begins a signature that opens this table, or a range of its keys, for others.
     *
     * <pre>{@code
     * URI link = runners.sas().canQuery().partition("2026 Marathon__Full").sign().uri();
     * }</pre>
     *
     * @return its builder
     */
    TableSasBuilder<SharedAccessSignature> sas();

    /**
     * Returns the stored access policies of this table, by which signatures are taken back.
     *
     * @return its policies; making them costs nothing
     */
    AccessPolicies<TableSasBuilder<?>> policies();

    /**
     * Inserts an entity that must not exist yet.
     *
     * <p>If a response is lost, the call reads the entity back. If that leaves the outcome open, it waits within its
     * deadline until no attempt can still take effect: up to 35 s with the default settings. With {@link
     * WriteMarkers#ALL} it leaves a marker, one property of about 60 bytes.
     *
     * @param value the entity
     * @return what was written
     * @throws io.stowline.error.ConflictException if there is one with these keys
     */
    WriteResult insert(T value);

    /**
     * Inserts an entity that must not exist yet, and succeeds only if it is certain that this call created it: an insert as a lock or an
     * election. It leaves a marker, whatever the table's {@link #withMarkers}; content that is equal is not enough for it.
     *
     * <p>If a response is lost, the call reads the entity back. If that leaves the outcome open, it waits within its deadline until no
     * attempt can still take effect: up to 35 s with the default settings.
     *
     * @param value the entity
     * @return what was written
     * @throws io.stowline.error.ConflictException if another client inserted it
     * @throws io.stowline.error.OutcomeUnknownException if it is unknown which client inserted it: until that is known, do not act as its
     *     owner
     * @throws IllegalArgumentException if the entity breaks a limit, or has no room for the marker
     */
    WriteResult claim(T value);

    /**
     * Inserts an entity, or sets its properties on the existing one. Properties that the value does not have stay as they are; a null
     * component means unchanged.
     *
     * @param value the entity
     * @return what was written
     */
    WriteResult insertOrMerge(T value);

    /**
     * Inserts an entity, or replaces the existing one.
     *
     * @param value the entity
     * @return what was written
     */
    WriteResult insertOrReplace(T value);

    /**
     * Sets properties on the version that was read, and on no other. A null component means unchanged; properties that the Java type does
     * not have stay as they are. Use it to change an entity that was read.
     *
     * <p>The write leaves a marker in the entity, one property of about 60 bytes, unless {@link #withMarkers} switches that off or there is no
     * room for it. If a response is lost, the call reads the entity back. If that leaves the outcome open, it waits within its deadline
     * until no attempt can still take effect: up to 35 s with the default settings.
     *
     * @param stored the properties to set with the ETag of that version
     * @return what was written
     * @throws io.stowline.error.PreconditionFailedException if the entity has changed since
     * @throws NotFoundException if it is gone
     */
    WriteResult merge(StoredEntity<T> stored);

    /**
     * Replaces the version that was read, and no other: the whole entity afterwards is what the value has. Properties that the Java type
     * does not have are removed, such as those of a newer release of the application; {@link #merge(StoredEntity)} keeps them, and so does
     * a {@code @PropertyBag}. Never becomes an upsert: a {@link StoredEntity} always has an ETag.
     *
     * <p>The write leaves a marker in the entity, one property of about 60 bytes, unless {@link #withMarkers} switches that off or there is no
     * room for it. If a response is lost, the call reads the entity back. If that leaves the outcome open, it waits within its deadline
     * until no attempt can still take effect: up to 35 s with the default settings.
     *
     * @param stored the new value with the ETag of that version
     * @return what was written
     * @throws io.stowline.error.PreconditionFailedException if the entity has changed since
     * @throws NotFoundException if it is gone
     */
    WriteResult replace(StoredEntity<T> stored);

    /**
     * Begins a partial update: some properties are set, all others stay as they are, and nothing is read.
     *
     * <pre>{@code
     * runners.merge("full", "01234").set("age", 41).update();
     * }</pre>
     *
     * @param partitionKey the entity's partition
     * @param rowKey its key there
     * @return a merge that sets nothing yet
     * @throws IllegalArgumentException if a key is not allowed
     */
    EntityMerge<T> merge(String partitionKey, String rowKey);

    /**
     * Removes the version that was read, and no other.
     *
     * <p>If a response is lost, the call reads the entity back. If that leaves the outcome open, it waits within its deadline until no
     * attempt can still take effect: up to 35 s with the default settings. If the entity is gone then, that proves nothing: the outcome is
     * unknown.
     *
     * @param stored the entity with the ETag of that version
     * @return that it is gone
     * @throws io.stowline.error.PreconditionFailedException if the entity has changed since
     * @throws NotFoundException if it is gone
     */
    WriteResult delete(StoredEntity<T> stored);

    /**
     * Removes the entity that has the keys of a value, whatever its version; see {@link #delete(String, String)}.
     *
     * @param value the entity, of which only the keys count
     * @return {@link io.stowline.outcome.WriteOutcome#CONFIRMED}, or {@link io.stowline.outcome.WriteOutcome#ABSENT} if a response was lost
     *     and there is none now
     * @throws NotFoundException if there was none for certain, or no table
     */
    WriteResult delete(T value);

    /**
     * Removes an entity whatever its version.
     *
     * <p>If a response is lost, the call reads the entity back. If that leaves the outcome open, it waits within its deadline until no
     * attempt can still take effect: up to 35 s with the default settings.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return {@link io.stowline.outcome.WriteOutcome#CONFIRMED}, or {@link io.stowline.outcome.WriteOutcome#ABSENT} if a response was lost
     *     and there is none now
     * @throws NotFoundException if there was none for certain, or no table
     */
    WriteResult delete(String partitionKey, String rowKey);

    /**
     * Removes an entity if it is there.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return false if there was none for certain; true if it was removed, or if after a lost response it is gone
     * @throws NotFoundException if the table is not there
     */
    boolean deleteIfExists(String partitionKey, String rowKey);

    /**
     * Reads one entity: the fastest read there is.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag, if there is one
     * @throws NotFoundException if the table is not there
     */
    Optional<StoredEntity<T>> find(String partitionKey, String rowKey);

    /**
     * Reads entities by their keys, up to 32 of them at a time: one point read each, which is faster than any query for keys that no
     * range covers. Duplicate keys are read once. A read that fails ends the call, and cancels the others.
     *
     * <pre>{@code
     * List<StoredEntity<Runner>> podium = runners.findAll(List.of(new EntityKey("full", "00017"), new EntityKey("half", "00230")));
     * }</pre>
     *
     * @param keys the keys, of any partitions
     * @return the entities that exist, in the order of the keys
     * @throws NotFoundException if the table is not there
     * @throws IllegalArgumentException if a key is not allowed; nothing is sent then
     */
    List<StoredEntity<T>> findAll(Collection<EntityKey> keys);

    /**
     * Reads an entity, changes it and replaces the version that was read. When another client changes the entity in between, the call reads
     * and changes it again after a short, jittered pause. Reads go to the primary.
     *
     * <pre>{@code
     * runners.modify("full", "01234", ann -> new Runner(ann.race(), ann.bib(), ann.name(), ann.age() + 1));
     * }</pre>
     *
     * <p>No round starts after the deadline of the table's retry settings; the conflict is thrown then. Each of the two requests of a round
     * has that deadline, too. Like {@link #replace} it removes properties that the Java type does not have.
     *
     * @param partitionKey the entity's partition
     * @param rowKey its key there
     * @param change makes the new value from the one that was read, with the same keys; it runs once a round on the calling thread, and must
     *     have no other effect. If the new value equals the old one, nothing is written
     * @return the entity as it is afterwards; empty if there is none
     * @throws io.stowline.error.PreconditionFailedException if other clients were faster until the deadline
     * @throws io.stowline.error.OutcomeUnknownException if a response is lost and the outcome of the replacement stays open
     * @throws IllegalArgumentException if the change alters a key
     * @throws NotFoundException if the table is not there, or the entity is removed between the read and the replacement
     */
    Optional<StoredEntity<T>> modify(String partitionKey, String rowKey, UnaryOperator<T> change);

    /**
     * Begins a condition on a component of this table's type, for {@link Query#where}.
     *
     * <pre>{@code
     * runners.query().partition("full").where(runners.property("age").atLeast(40)).list();
     * }</pre>
     *
     * @param name a component, a path such as {@code address.city}, or the property's name in the table; for {@link Entity} any property
     * @return what to compare; it takes values of the component's type and compares them as they are stored
     * @throws IllegalArgumentException if the type has none of this name, naming those with the nearest names
     */
    FilterProperty property(String name);

    /**
     * Begins a query.
     *
     * @return a query for the whole table
     */
    Query<T> query();

    /**
     * Begins an explicit entity group transaction: operations on one partition that happen all or not at all.
     *
     * @param partitionKey the partition of all its operations
     * @return a transaction without operations
     */
    Transaction<T> transaction(String partitionKey);

    /**
     * Opens a writer with the default settings: single operations become entity group transactions by themselves.
     *
     * @return the writer; close it
     */
    default TableWriter<T> writer() {
        return writer(settings -> settings);
    }

    /**
     * Opens a writer.
     *
     * @param settings changes the default settings
     * @return the writer; close it
     */
    TableWriter<T> writer(UnaryOperator<WriterSettings.Builder> settings);

    /**
     * Opens a writer whose operations are on disk before they count as accepted, and sends what an earlier process has left there before
     * anything else. The module {@code stowline-journal} must be present.
     *
     * <pre>{@code
     * try (Journal journal = Journal.open(Path.of("runners-journal"));
     *         TableWriter<Runner> writer = runners.writer(WriterJournal.of(journal), w -> w)) {
     *     writer.insert(runner);
     * }
     * }</pre>
     *
     * @param journal where its operations are kept; it serves one writer of one table, and is closed after it
     * @param settings changes the default settings
     * @return the writer; close it
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table
     */
    TableWriter<T> writer(WriterJournal journal, UnaryOperator<WriterSettings.Builder> settings);

    /**
     * Returns the same table seen as another type: reads fetch the properties of that type only, and what merges sets only these. Whatever
     * takes an entity's place, such as {@link #replace} and {@link #insertOrReplace}, drops the properties that the view does not have.
     *
     * @param view a type with {@code @PartitionKey} and {@code @RowKey}, a sealed interface of such types, or {@link Entity}
     * @param <R> that type
     * @return the table with the settings of this one; making it costs nothing
     * @throws IllegalArgumentException if the type cannot be mapped or lacks a key
     */
    <R> Table<R> as(Class<R> view);

    /**
     * Returns a time series in the rows of this table, whatever its type: one row for a period, one property for each slot of it.
     *
     * <pre>{@code
     * TimeSeries<Double> temperature = storage.table("weather").series("temperature", Double.class, TimeSeries.Layout.HOURS_OF_DAY);
     * }</pre>
     *
     * @param name what the names of its properties begin with; {@code temperature} makes {@code temperature_13}
     * @param values the Java type of the values: any that {@link Entity.Builder#set} takes
     * @param layout which period is a row and how many slots it has
     * @param <V> the Java type of the values
     * @return the series; making it costs nothing
     * @throws IllegalArgumentException if the name makes no property names, or no property can hold the values
     */
    <V> TimeSeries<V> series(String name, Class<V> values, TimeSeries.Layout layout);

    /**
     * Returns a time series of the last slots in one row of this table for each partition, whatever its type.
     *
     * <pre>{@code
     * RollingSeries<Double> recent = storage.table("weather").series("temperature", Double.class, RollingSeries.Ring.hours(24));
     * }</pre>
     *
     * @param name what the names of its properties begin with; {@code temperature} makes {@code temperature_13}
     * @param values the Java type of the values: any that {@link Entity.Builder#set} takes
     * @param ring the length of a slot and the number of slots
     * @param <V> the Java type of the values
     * @return the series; making it costs nothing
     * @throws IllegalArgumentException if the name makes no property names, or no property can hold the values
     */
    <V> RollingSeries<V> series(String name, Class<V> values, RollingSeries.Ring ring);

    /**
     * Returns the same table with other writes that leave a marker by which they are known again after a lost response.
     *
     * @param markers which writes leave one, {@link WriteMarkers#DECISIVE} unless set
     * @return the narrowed table; making it costs nothing
     */
    Table<T> withMarkers(WriteMarkers markers);

    /**
     * Returns the same table with one more header on all its requests, all attempts included. Operations of writers whose headers differ
     * never share a transaction. It is signed where the service signs headers.
     *
     * @param name its name; not one that the library sets itself, such as {@code Authorization} and {@code x-ms-version}, or that changes
     *     what a request means, such as {@code If-Match} and {@code Content-Type}
     * @param value its value: 1 to 8,192 characters of visible ASCII and spaces
     * @return the narrowed table; making it costs nothing
     * @throws IllegalArgumentException if the header is not allowed; its value is not shown
     */
    Table<T> withHeader(String name, String value);

    /**
     * Returns the same table with other retry settings, for all or for a single call.
     *
     * @param settings changes the settings that this table has
     * @return the narrowed table; making it costs nothing
     */
    Table<T> withRetry(UnaryOperator<RetrySettings.Builder> settings);

    /**
     * Returns the same table with reads that may go to the secondary: {@link #find} and {@link Query#streamStored}, whose results name where
     * they came from. What gives values only, and all writes with their reading back, stay with the primary.
     *
     * @param source where safe reads go, {@link ReadFrom#PRIMARY} unless the client's builder sets another
     * @return the narrowed table; making it costs nothing
     * @throws IllegalArgumentException if no secondary endpoint of the tables is known
     */
    Table<T> withReadPreference(ReadFrom source);

    /**
     * Returns the same table with an index; see {@link #indexed(List)}.
     *
     * @param index the index
     * @return the table with its index; making it costs nothing
     */
    default IndexedTable<T> indexed(Index<T, ?> index) {
        return indexed(Collections.singletonList(index));
    }

    /**
     * Returns the same table with indexes: further values by which its entities are found.
     *
     * <pre>{@code
     * Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
     *
     * IndexedTable<Runner> byAge = runners.indexed(AGE);
     * byAge.insert(runner);
     * }</pre>
     *
     * @param indexes the indexes, 1 to 7 of different names
     * @return the table with its indexes; making it costs nothing
     * @throws IllegalArgumentException if there is no index, more than 7, or two have one name
     */
    IndexedTable<T> indexed(List<? extends Index<T, ?>> indexes);

    /**
     * Returns the same table with other rules for queries that make the service look at all of it.
     *
     * @param policy what becomes of them, {@link ScanPolicy#ALLOW} unless the client's builder sets another
     * @return the narrowed table; making it costs nothing
     */
    Table<T> withScanPolicy(ScanPolicy policy);

    /**
     * Returns a cached view that reads single entities without a request each time.
     *
     * @param freshness for how long what was read counts as the present state, and what may be given after that
     * @return the cached reads; making them costs nothing
     */
    CachedTable<T> cached(Freshness freshness);
}
