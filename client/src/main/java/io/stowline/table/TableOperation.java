package io.stowline.table;

import io.stowline.table.internal.EncodedOperation;
import io.stowline.table.internal.Verb;
import java.util.Objects;
import java.util.function.Function;

/**
 * One write on its way into {@link ReactiveTableWriter#write}, with what is to come back beside its result, such as the offset of a
 * message to acknowledge. It is checked when the writer takes it. Immutable.
 *
 * @param <T> the table's type
 * @param <C> the type of the context; {@code Void} without one
 */
public final class TableOperation<T, C> {

    private final Function<TableScope<T>, EncodedOperation> encoding;
    private final C context;

    private TableOperation(Function<TableScope<T>, EncodedOperation> encoding, C context) {
        this.encoding = encoding;
        this.context = context;
    }

    /**
     * The making of an entity that must not be there yet.
     *
     * @param value the entity
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> insert(T value) {
        return of(Verb.INSERT, value);
    }

    /**
     * The making of an entity, or the setting of its properties if it is there.
     *
     * @param value the entity
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> insertOrMerge(T value) {
        return of(Verb.INSERT_OR_MERGE, value);
    }

    /**
     * The making of an entity, or the taking of its place if it is there.
     *
     * @param value the entity
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> insertOrReplace(T value) {
        return of(Verb.INSERT_OR_REPLACE, value);
    }

    /**
     * The replacement of the version that was read.
     *
     * @param stored the new value with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> replace(Stored<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return plain(scope -> scope.encode(Verb.REPLACE, stored));
    }

    /**
     * The setting of properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> merge(Stored<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return plain(scope -> scope.encode(Verb.MERGE, stored));
    }

    /**
     * The removal of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> delete(Stored<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return plain(scope -> scope.encodeDelete(stored));
    }

    /**
     * The removal of an entity whatever its version.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> delete(String partitionKey, String rowKey) {
        return plain(scope -> scope.encodeDelete(partitionKey, rowKey));
    }

    private static <T> TableOperation<T, Void> of(Verb verb, T value) {
        Objects.requireNonNull(value, "value");
        return plain(scope -> scope.encode(verb, value));
    }

    @SuppressWarnings("NullAway") // the only value of Void
    private static <T> TableOperation<T, Void> plain(Function<TableScope<T>, EncodedOperation> encoding) {
        return new TableOperation<>(encoding, null);
    }

    /**
     * The same operation with a context of the caller.
     *
     * @param context what the result is to carry
     * @param <D> the type of the context
     * @return an operation with this context
     */
    public <D> TableOperation<T, D> with(D context) {
        return new TableOperation<>(encoding, context);
    }

    EncodedOperation encode(TableScope<T> scope) {
        return encoding.apply(scope);
    }

    C context() {
        return context;
    }
}
