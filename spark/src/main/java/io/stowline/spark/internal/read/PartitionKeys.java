package io.stowline.spark.internal.read;

import io.stowline.spark.internal.schema.StoredColumn;
import io.stowline.spark.internal.schema.TableSchema;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** The partition keys that a condition names: by an equality, a list, or an alternative of these. They become slices and no filter. */
final class PartitionKeys {

    private static final String FORBIDDEN = "/\\#?";
    private static final int MAX_KEY = 1_024;

    private PartitionKeys() {}

    /** Returns the keys that a condition allows, in their order; {@code null} if it is on more than the partition key. */
    static @Nullable SortedSet<String> of(Predicate condition, Map<String, StoredColumn> columns) {
        switch (condition.name()) {
            case "OR" -> {
                SortedSet<String> left = child(condition, 0, columns);
                SortedSet<String> right = left == null ? null : child(condition, 1, columns);
                if (left == null || right == null) {
                    return null;
                }
                left.addAll(right);
                return left;
            }
            case "IN" -> {
                return in(condition, columns);
            }
            default -> {
                ColumnComparison comparison = ColumnComparison.of(condition, columns);
                boolean names = comparison != null && comparison.isEquality() && isPartitionKey(comparison.column());
                return comparison != null && names ? keys(comparison.value()) : null;
            }
        }
    }

    private static @Nullable SortedSet<String> child(
            Predicate condition, int index, Map<String, StoredColumn> columns) {
        return condition.children()[index] instanceof Predicate child ? of(child, columns) : null;
    }

    private static @Nullable SortedSet<String> in(Predicate condition, Map<String, StoredColumn> columns) {
        Expression[] children = condition.children();
        StoredColumn column = ColumnComparison.column(children[0], columns);
        if (column == null || !isPartitionKey(column)) {
            return null;
        }
        SortedSet<String> all = new TreeSet<>();
        for (int i = 1; i < children.length; i++) {
            if (!(children[i] instanceof Literal<?> literal)) {
                return null;
            }
            if (literal.value() != null) {
                all.addAll(keys(literal.value()));
            }
        }
        return all;
    }

    private static boolean isPartitionKey(StoredColumn column) {
        return column.name().equals(TableSchema.PARTITION_KEY);
    }

    /** No entity has a key that the service forbids. */
    private static SortedSet<String> keys(Object value) {
        String key = value.toString();
        SortedSet<String> keys = new TreeSet<>();
        boolean exists = ((UTF8String) value).isValid()
                && key.length() <= MAX_KEY
                && key.chars().noneMatch(c -> Character.isISOControl(c) || FORBIDDEN.indexOf(c) >= 0);
        if (exists) {
            keys.add(key);
        }
        return keys;
    }
}
