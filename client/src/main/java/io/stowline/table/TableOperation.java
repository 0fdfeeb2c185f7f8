package io.stowline.table;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One write for {@link ReactiveTableWriter#write}, with a context that its result carries, such as the offset of a message to acknowledge.
 * It is checked when the writer takes it. Immutable.
 *
 * @param <T> the table's type
 * @param <C> the type of the context; {@code Void} without one
 */
public final class TableOperation<T, C> {

    private final String verb;
    private final @Nullable T value;
    private final @Nullable StoredEntity<T> stored;
    private final @Nullable EntityKey key;
    private final C context;

    private TableOperation(
            String verb, @Nullable T value, @Nullable StoredEntity<T> stored, @Nullable EntityKey key, C context) {
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
        return of("insert", value);
    }

    /**
     * Returns an upsert that inserts the entity, or sets its properties if it exists.
     *
     * @param value the entity
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> insertOrMerge(T value) {
        return of("insertOrMerge", value);
    }

    /**
     * Returns an upsert that inserts the entity, or replaces it if it exists.
     *
     * @param value the entity
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> insertOrReplace(T value) {
        return of("insertOrReplace", value);
    }

    /**
     * Returns a replacement of the version that was read.
     *
     * @param stored the new value with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> replace(StoredEntity<T> stored) {
        return of("replace", stored);
    }

    /**
     * Returns a merge that sets properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> merge(StoredEntity<T> stored) {
        return of("merge", stored);
    }

    /**
     * Returns a deletion of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> delete(StoredEntity<T> stored) {
        return of("delete", stored);
    }

    /**
     * Returns a deletion of the entity that has the keys of a value, whatever its version.
     *
     * @param value the entity, of which only the keys count
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> delete(T value) {
        return of("delete", value);
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
        return plain("delete", null, null, new EntityKey(partitionKey, rowKey));
    }

    private static <T> TableOperation<T, Void> of(String verb, T value) {
        return plain(verb, Objects.requireNonNull(value, "value"), null, null);
    }

    private static <T> TableOperation<T, Void> of(String verb, StoredEntity<T> stored) {
        return plain(verb, null, Objects.requireNonNull(stored, "stored"), null);
    }

    @SuppressWarnings("NullAway") // the only value of Void
    private static <T> TableOperation<T, Void> plain(
            String verb, @Nullable T value, @Nullable StoredEntity<T> stored, @Nullable EntityKey key) {
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
     * @return the name of the method of {@link Table} that does it, such as {@code insertOrMerge}
     */
    public String verb() {
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
}
