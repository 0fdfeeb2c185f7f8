package io.stowline.spark.internal.read;

import io.stowline.spark.internal.schema.StoredColumn;
import java.util.Map;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of a column with a value of its type, the column on the left.
 *
 * @param column the column
 * @param operator the operator, such as {@code >=}
 * @param value the value as Spark keeps it in rows, not null
 */
record ColumnComparison(StoredColumn column, String operator, Object value) {

    private static final Map<String, String> MIRRORED =
            Map.of("=", "=", "<=>", "<=>", "<>", "<>", "<", ">", "<=", ">=", ">", "<", ">=", "<=");

    /** Returns a condition as a comparison; {@code null} if it is another one. */
    static @Nullable ColumnComparison of(Predicate condition, Map<String, StoredColumn> columns) {
        String mirrored = MIRRORED.get(condition.name());
        if (mirrored == null || condition.children().length != 2) {
            return null;
        }
        Expression left = condition.children()[0];
        Expression right = condition.children()[1];
        ColumnComparison found = of(column(left, columns), condition.name(), right);
        return found == null ? of(column(right, columns), mirrored, left) : found;
    }

    private static @Nullable ColumnComparison of(@Nullable StoredColumn column, String operator, Expression value) {
        Object literal = column == null ? null : value(value, column);
        return column == null || literal == null
                ? null
                : new ColumnComparison(column, operator.equals("<=>") ? "=" : operator, literal);
    }

    /** Returns the column that an expression is; {@code null} if it is no column. */
    static @Nullable StoredColumn column(Expression expression, Map<String, StoredColumn> columns) {
        return expression instanceof NamedReference reference && reference.fieldNames().length == 1
                ? columns.get(reference.fieldNames()[0])
                : null;
    }

    /**
     * Returns a value of the column's type; {@code null} if the expression is another one, or SQL's null. A text that is not well-formed UTF-8
     * is none of the service's: it would be compared as another text.
     */
    static @Nullable Object value(Expression expression, StoredColumn column) {
        return expression instanceof Literal<?> literal
                        && literal.dataType().equals(column.type())
                        && isWellFormed(literal.value())
                ? literal.value()
                : null;
    }

    private static boolean isWellFormed(@Nullable Object value) {
        return !(value instanceof UTF8String text) || text.isValid();
    }

    /** Returns whether it is an equality. */
    boolean isEquality() {
        return operator.equals("=");
    }
}
