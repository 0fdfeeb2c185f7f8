package io.stowline.table;

import io.stowline.batching.internal.callback.TaggedResult;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * One write for {@link ReactiveTableWriter#write}, with a context that its result carries, such as the offset of a message to acknowledge.
 * It is checked when the writer takes it. Immutable.
 *
 * @param <T> the table's type
 * @param <C> the type of the context; {@code Void} without one
 */
public final class TableOperation<T, C> {

    private final Function<TableContext<T>, EncodedOperation> encoding;
    private final C context;

    private TableOperation(Function<TableContext<T>, EncodedOperation> encoding, C context) {
        this.encoding = encoding;
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
        Objects.requireNonNull(stored, "stored");
        return plain(scope -> scope.encode(EntityVerb.REPLACE, stored));
    }

    /**
     * Returns a merge that sets properties on the version that was read.
     *
     * @param stored the properties to set with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> merge(StoredEntity<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return plain(scope -> scope.encode(EntityVerb.MERGE, stored));
    }

    /**
     * Returns a deletion of the version that was read.
     *
     * @param stored the entity with the ETag of that version
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> delete(StoredEntity<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return plain(scope -> scope.encodeDelete(stored));
    }

    /**
     * Returns a deletion of the entity that has the keys of a value, whatever its version.
     *
     * @param value the entity, of which only the keys count
     * @param <T> the table's type
     * @return the operation
     */
    public static <T> TableOperation<T, Void> delete(T value) {
        Objects.requireNonNull(value, "value");
        return plain(scope -> scope.encodeDelete(value));
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
        return plain(scope -> scope.encodeDelete(partitionKey, rowKey));
    }

    private static <T> TableOperation<T, Void> of(EntityVerb verb, T value) {
        Objects.requireNonNull(value, "value");
        return plain(scope -> scope.encode(verb, value));
    }

    @SuppressWarnings("NullAway") // the only value of Void
    private static <T> TableOperation<T, Void> plain(Function<TableContext<T>, EncodedOperation> encoding) {
        return new TableOperation<>(encoding, null);
    }

    /**
     * Returns the same operation with a context of the caller.
     *
     * @param context what the result is to carry
     * @param <D> the type of the context
     * @return an operation with this context
     */
    public <D> TableOperation<T, D> with(D context) {
        return new TableOperation<>(encoding, context);
    }

    EncodedOperation encode(TableContext<T> scope) {
        return encoding.apply(scope);
    }

    C context() {
        return context;
    }

    /**
     * The result of one operation of {@link ReactiveTableWriter#write}: it was written, or failed. Immutable.
     *
     * @param <C> the type of the context
     */
    public static final class Result<C> {

        private final C context;
        private final TaggedResult<?, EntityWriteResult> result;

        Result(TaggedResult<C, EntityWriteResult> result) {
            this(result.tag(), result);
        }

        Result(C context, TaggedResult<?, EntityWriteResult> result) {
            this.context = context;
            this.result = result;
        }

        /**
         * Returns what came with the operation.
         *
         * @return the context; null if the operation had none
         */
        public C context() {
            return context;
        }

        /**
         * Returns what the operation left behind.
         *
         * @return what was written
         * @throws RuntimeException the failure of the operation
         */
        public EntityWriteResult written() {
            return result.value();
        }

        /**
         * Returns why the operation was refused or failed.
         *
         * @return the failure; empty if it was written
         */
        public Optional<Throwable> failure() {
            return result.failure();
        }

        @Override
        public String toString() {
            return result.toString();
        }
    }
}
