package io.stowline.ring.internal.place;

import io.stowline.outcome.WriteResult;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.Transaction;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The verbs of a table, a writer or a transaction of one account that take the operations of a ring.
 *
 * @param <T> the table's type
 * @param <R> what a verb returns
 */
public record AccountVerbs<T, R>(
        Function<T, R> insert,
        Function<T, R> insertOrMerge,
        Function<T, R> insertOrReplace,
        Function<StoredEntity<T>, R> replace,
        Function<StoredEntity<T>, R> merge,
        Function<StoredEntity<T>, R> deleteVersion,
        Function<T, R> deleteValue,
        BiFunction<String, String, R> deleteKeys) {

    /** Returns the verbs of a table. */
    public static <T> AccountVerbs<T, WriteResult> of(Table<T> table) {
        return new AccountVerbs<>(
                table::insert,
                table::insertOrMerge,
                table::insertOrReplace,
                table::replace,
                table::merge,
                table::delete,
                table::delete,
                table::delete);
    }

    /** Returns the verbs of a writer. */
    public static <T> AccountVerbs<T, Submission<WriteResult>> of(TableWriter<T> writer) {
        return new AccountVerbs<>(
                writer::insert,
                writer::insertOrMerge,
                writer::insertOrReplace,
                writer::replace,
                writer::merge,
                writer::delete,
                writer::delete,
                writer::delete);
    }

    /** Returns the verbs of a transaction. */
    public static <T> AccountVerbs<T, Transaction<T>> of(Transaction<T> transaction) {
        return new AccountVerbs<>(
                transaction::insert,
                transaction::insertOrMerge,
                transaction::insertOrReplace,
                transaction::replace,
                transaction::merge,
                transaction::delete,
                transaction::delete,
                (partitionKey, rowKey) -> transaction.delete(rowKey));
    }

    /** Hands an operation over. */
    public R take(TableOperation<T, ?> operation) {
        return switch (operation.verb()) {
            case "insert" -> insert.apply(value(operation));
            case "insertOrMerge" -> insertOrMerge.apply(value(operation));
            case "insertOrReplace" -> insertOrReplace.apply(value(operation));
            case "replace" -> replace.apply(stored(operation));
            case "merge" -> merge.apply(stored(operation));
            case "delete" -> deleted(operation);
            default -> throw new IllegalArgumentException("a ring has no verb " + operation.verb());
        };
    }

    private R deleted(TableOperation<T, ?> operation) {
        EntityKey key = operation.key();
        if (key != null) {
            return deleteKeys.apply(key.partitionKey(), key.rowKey());
        }
        return operation.stored() != null
                ? deleteVersion.apply(stored(operation))
                : deleteValue.apply(value(operation));
    }

    private static <T> T value(TableOperation<T, ?> operation) {
        return Objects.requireNonNull(operation.value(), "value");
    }

    private static <T> StoredEntity<T> stored(TableOperation<T, ?> operation) {
        return Objects.requireNonNull(operation.stored(), "stored");
    }
}
