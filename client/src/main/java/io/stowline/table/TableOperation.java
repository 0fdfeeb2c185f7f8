package io.stowline.table;

import io.stowline.outcome.WriteResult;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One write for {@link ReactiveTableWriter#write}, with a context that its result carries, such as the offset of a message to acknowledge.
 * It is checked when the writer takes it. Immutable.
 *
 * @param <T> the table's type
 * @param <C> the type of the context; {@code Void} without one
 */
public final class TableOperation<T, C> {

    private final EntityVerb verb;
    private final @Nullable T value;
    private final @Nullable StoredEntity<T> stored;
    private final @Nullable EntityKey key;
    private final C context;

    private TableOperation(
            EntityVerb verb, @Nullable T value, @Nullable StoredEntity<T> stored, @Nullable EntityKey key, C context) {
        this.verb = verb;
        this.value = value;
        this.stored = stored;
        this.key = key;
        this.context = context;
    }

    /**
     * Returns an insert of an entity that must not exist yet.
     *
     * @param value the entity
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> insert(T value) {
        return of(EntityVerb.INSERT, value);
    }

    /**
     * Returns an upsert that inserts the entity, or sets its properties if it exists.
     *
     * @param value the entity
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> insertOrMerge(T value) {
        return of(EntityVerb.INSERT_OR_MERGE, value);
    }

    /**
     * Returns an upsert that inserts the entity, or replaces it if it exists.
     *
     * @param value the entity
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> insertOrReplace(T value) {
        return of(EntityVerb.INSERT_OR_REPLACE, value);
    }

    /**
     * Returns a replacement of the version that was read.
     *
     * @param stored the new value with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> replace(StoredEntity<T> stored) {
        return of(EntityVerb.REPLACE, stored);
    }

    /**
     * Returns a merge that sets properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> merge(StoredEntity<T> stored) {
        return of(EntityVerb.MERGE, stored);
    }

    /**
     * Returns a deletion of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> delete(StoredEntity<T> stored) {
        return of(EntityVerb.DELETE, stored);
    }

    /**
     * Returns a deletion of the entity that has the keys of a value, whatever its version.
     *
     * @param value the entity, of which only the keys count
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> delete(T value) {
        return of(EntityVerb.DELETE, value);
    }

    /**
     * Returns a deletion of an entity, whatever its version.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> delete(String partitionKey, String rowKey) {
        return plain(EntityVerb.DELETE, null, null, new EntityKey(partitionKey, rowKey));
    }

    private static <T> TableOperation<T, Void> of(EntityVerb verb, T value) {
        return plain(verb, Objects.requireNonNull(value, "value"), null, null);
    }

    private static <T> TableOperation<T, Void> of(EntityVerb verb, StoredEntity<T> stored) {
        return plain(verb, null, Objects.requireNonNull(stored, "stored"), null);
    }

    @SuppressWarnings("NullAway") // the only value of Void
    private static <T> TableOperation<T, Void> plain(
            EntityVerb verb, @Nullable T value, @Nullable StoredEntity<T> stored, @Nullable EntityKey key) {
        return new TableOperation<>(verb, value, stored, key, null);
    }

    /**
     * Returns the same operation with a context of the caller.
     *
     * @param context what the result is to carry
     * @param <D> the type of the context
     * @return an operation with this context
     */
    public <D> TableOperation<T, D> with(D context) {
        return new TableOperation<>(verb, value, stored, key, context);
    }

    /**
     * Returns the verb.
     *
     * @return the verb
     */
    public EntityVerb verb() {
        return verb;
    }

    /**
     * Returns the entity of an operation that is not for one version.
     *
     * @return the entity; {@code null} if {@link #stored} or {@link #key} is given
     */
    public @Nullable T value() {
        return value;
    }

    /**
     * Returns the entity with the version that the operation is for.
     *
     * @return the entity with its ETag; {@code null} if {@link #value} or {@link #key} is given
     */
    public @Nullable StoredEntity<T> stored() {
        return stored;
    }

    /**
     * Returns the keys of a deletion that has no more than keys.
     *
     * @return the keys; {@code null} if {@link #value} or {@link #stored} is given
     */
    public @Nullable EntityKey key() {
        return key;
    }

    /**
     * Returns the context that the result of the operation carries.
     *
     * @return the context; null if the operation has none
     */
    public C context() {
        return context;
    }

    /**
     * The result of one operation of {@link ReactiveTableWriter#write}: it was written, or failed.
     *
     * @param <C> the type of the context
     */
    public interface Result<C> {

        /**
         * Returns what came with the operation.
         *
         * @return the context; null if the operation had none
         */
        C context();

        /**
         * Returns what the operation left behind.
         *
         * @return what was written
         * @throws RuntimeException the failure of the operation
         */
        WriteResult written();

        /**
         * Returns why the operation was refused or failed.
         *
         * @return the failure; empty if it was written
         */
        Optional<Throwable> failure();
    }
}
