package io.stowline.spark.internal.read;

import io.stowline.spark.internal.schema.StoredColumn;
import io.stowline.spark.internal.schema.StoredType;
import io.stowline.spark.internal.schema.TableSchema;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A translator of Spark's conditions to those of the service. A translation holds wherever the condition does; an absent property, which is
 * null, fulfils neither. So a negation is translated on keys only, which are never absent.
 */
final class FilterTranslator {

    private final Map<String, StoredColumn> columns;

    /**
     * Makes a translator.
     *
     * @param columns the columns that each entity has in one stored type, by their names
     */
    FilterTranslator(Map<String, StoredColumn> columns) {
        this.columns = columns;
    }

    /** Returns a translation, exact or wider; {@code null} if there is none. */
    @Nullable
    ServiceCondition translate(Predicate condition) {
        return switch (condition.name()) {
            case "AND" -> joined(condition, ServiceCondition::and, true);
            case "OR" -> joined(condition, ServiceCondition::or, false);
            case "NOT" -> negated(condition);
            case "IN" -> in(condition);
            case "STARTS_WITH" -> prefix(condition);
            default -> {
                ColumnComparison comparison = ColumnComparison.of(condition, columns);
                yield comparison == null ? null : ValueFilters.compare(comparison);
            }
        };
    }

    private @Nullable ServiceCondition joined(
            Predicate condition, BinaryOperator<ServiceCondition> join, boolean oneSuffices) {
        ServiceCondition left = child(condition, 0);
        ServiceCondition right = child(condition, 1);
        if (left != null && right != null) {
            return join.apply(left, right);
        }
        ServiceCondition one = left == null ? right : left;
        return one == null || !oneSuffices ? null : ServiceCondition.wider(one.filter());
    }

    private @Nullable ServiceCondition child(Predicate condition, int index) {
        Expression[] children = condition.children();
        return index < children.length && children[index] instanceof Predicate child ? translate(child) : null;
    }

    private @Nullable ServiceCondition negated(Predicate condition) {
        ServiceCondition inner = child(condition, 0);
        return inner == null || !inner.exact() || !inner.keysOnly()
                ? null
                : ServiceCondition.exact(inner.filter().not()).ofKeys();
    }

    /** A null in the list makes a negation never true, so that such a list is no condition on keys only. */
    private @Nullable ServiceCondition in(Predicate condition) {
        Expression[] children = condition.children();
        StoredColumn column = ColumnComparison.column(children[0], columns);
        ServiceCondition found = null;
        boolean nulls = false;
        for (int i = 1; column != null && i < children.length; i++) {
            Object value = ColumnComparison.value(children[i], column);
            if (value == null) {
                nulls = true;
                if (!isNull(children[i])) {
                    return null;
                }
                continue;
            }
            ServiceCondition one = ValueFilters.compare(new ColumnComparison(column, "=", value));
            if (one == null) {
                return null;
            }
            found = found == null ? one : found.or(one);
        }
        return found != null && nulls ? new ServiceCondition(found.filter(), found.exact(), false) : found;
    }

    private static boolean isNull(Expression expression) {
        return expression instanceof Literal<?> literal && literal.value() == null;
    }

    private @Nullable ServiceCondition prefix(Predicate condition) {
        Expression[] children = condition.children();
        StoredColumn column = ColumnComparison.column(children[0], columns);
        Object prefix = column == null ? null : ColumnComparison.value(children[1], column);
        boolean isText = column != null && column.stored() == StoredType.STRING;
        return column == null || prefix == null || !isText ? null : ValueFilters.prefix(column, prefix.toString());
    }

    /** Returns the column that a condition with one comparison never finds null; {@code null} of another condition. */
    @Nullable
    StoredColumn refusesNull(Predicate condition) {
        return switch (condition.name()) {
            case "IN", "STARTS_WITH" -> ColumnComparison.column(condition.children()[0], columns);
            default -> {
                ColumnComparison comparison = ColumnComparison.of(condition, columns);
                yield comparison == null ? null : comparison.column();
            }
        };
    }

    /** Returns whether a condition only refuses null in a column that never is null. */
    boolean isAlwaysTrue(Predicate condition) {
        StoredColumn column = condition.name().equals("IS_NOT_NULL")
                ? ColumnComparison.column(condition.children()[0], columns)
                : null;
        return column != null
                && (TableSchema.isKey(column.name()) || column.name().equals(TableSchema.TIMESTAMP));
    }
}
