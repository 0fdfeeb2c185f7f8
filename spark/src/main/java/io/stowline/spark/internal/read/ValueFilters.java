package io.stowline.spark.internal.read;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.spark.internal.schema.StoredColumn;
import io.stowline.spark.internal.schema.TableSchema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The service's comparisons of a property with a value. Those that have no exact counterpart in the service have none here:
 *
 * <ul>
 *   <li>Text: the service orders by UTF-16, Spark by UTF-8. Both agree on texts whose characters are below the surrogates.
 *   <li>Numbers: NaN is above all others to Spark, and in no order to the service.
 *   <li>Times: the service has 100 ns, and the column is rounded down to microseconds.
 *   <li>Inequality: the service may count an absent property as unequal, while null is unequal to nothing.
 * </ul>
 */
final class ValueFilters {

    private static final int MAX_KEY = 1_024;
    private static final int MAX_TEXT = 256;

    /** The last of the service's times in a microsecond. */
    private static final int LAST_TICK = 900;

    private ValueFilters() {}

    /** Returns the service's comparison; {@code null} if there is none that holds wherever that of Spark does. */
    static @Nullable ServiceCondition compare(ColumnComparison comparison) {
        StoredColumn column = comparison.column();
        String operator = comparison.operator();
        Object value = comparison.value();
        return switch (column.stored()) {
            case STRING -> text(column, operator, value.toString());
            case GUID -> guid(column, operator, value.toString());
            case INT32, INT64 -> number(column, operator, value);
            case DOUBLE -> floating(column, operator, (Double) value);
            case BOOLEAN -> comparison.isEquality() ? exact(property(column).equalTo(value)) : null;
            case DATE_TIME -> time(column, operator, (Long) value);
            case BINARY -> null;
        };
    }

    /** Returns the condition that a text begins with another one; {@code null} if there is none. */
    static @Nullable ServiceCondition prefix(StoredColumn column, String prefix) {
        return prefix.isEmpty() || !isSent(column, prefix)
                ? null
                : keyed(column, exact(property(column).startsWith(prefix)));
    }

    static FilterProperty property(StoredColumn column) {
        return switch (column.name()) {
            case TableSchema.PARTITION_KEY -> Filter.partitionKey();
            case TableSchema.ROW_KEY -> Filter.rowKey();
            case TableSchema.TIMESTAMP -> Filter.timestamp();
            default -> Filter.property(column.name());
        };
    }

    private static @Nullable ServiceCondition text(StoredColumn column, String operator, String value) {
        boolean ordered = !operator.equals("=") && !operator.equals("<>");
        if (!isSent(column, value) || (ordered && !isOrderedAlike(value))) {
            return null;
        }
        if (operator.equals("<>")) {
            Filter unequal = property(column).notEqualTo(value);
            return TableSchema.isKey(column.name()) ? exact(unequal).ofKeys() : ServiceCondition.wider(unequal);
        }
        return keyed(column, exact(compare(property(column), operator, value)));
    }

    private static ServiceCondition keyed(StoredColumn column, ServiceCondition condition) {
        return TableSchema.isKey(column.name()) ? condition.ofKeys() : condition;
    }

    private static @Nullable ServiceCondition guid(StoredColumn column, String operator, String text) {
        if (!operator.equals("=")) {
            return null;
        }
        try {
            UUID guid = UUID.fromString(text);
            return guid.toString().equals(text) ? exact(property(column).equalTo(guid)) : null;
        } catch (IllegalArgumentException e) {
            return null; // no entity has it, which Spark finds out
        }
    }

    private static ServiceCondition number(StoredColumn column, String operator, Object value) {
        return operator.equals("<>")
                ? ServiceCondition.wider(property(column).notEqualTo(value))
                : exact(compare(property(column), operator, value));
    }

    private static @Nullable ServiceCondition floating(StoredColumn column, String operator, double value) {
        boolean below = operator.equals("=") || operator.equals("<") || operator.equals("<=");
        // The sum makes a negative zero the other one, to which it is equal.
        return below && Double.isFinite(value) ? exact(compare(property(column), operator, value + 0.0)) : null;
    }

    private static @Nullable ServiceCondition time(StoredColumn column, String operator, long micros) {
        Instant from = StoredColumn.time(micros);
        Instant last = from.plusNanos(LAST_TICK);
        if (from.isBefore(StoredColumn.MIN_TIME) || !last.isBefore(StoredColumn.TIME_END)) {
            return null;
        }
        FilterProperty time = property(column);
        return switch (operator) {
            case "=" -> exact(time.between(from, last));
            case "<" -> exact(time.lessThan(from));
            case "<=" -> exact(time.atMost(last));
            case ">" -> exact(time.greaterThan(last));
            case ">=" -> exact(time.atLeast(from));
            default -> null;
        };
    }

    private static Filter compare(FilterProperty property, String operator, Object value) {
        return switch (operator) {
            case "=" -> property.equalTo(value);
            case "<" -> property.lessThan(value);
            case "<=" -> property.atMost(value);
            case ">" -> property.greaterThan(value);
            case ">=" -> property.atLeast(value);
            default -> throw new IllegalArgumentException("no comparison " + operator);
        };
    }

    private static ServiceCondition exact(Filter filter) {
        return ServiceCondition.exact(filter);
    }

    /** Longer texts and control characters stay with Spark: a request's address is bounded. */
    private static boolean isSent(StoredColumn column, String text) {
        int max = TableSchema.isKey(column.name()) ? MAX_KEY : MAX_TEXT;
        return text.length() <= max && text.chars().noneMatch(Character::isISOControl);
    }

    /** At the first difference from such a text, all other characters are on one side of it in both orders. */
    static boolean isOrderedAlike(String text) {
        return text.chars().allMatch(character -> character < Character.MIN_SURROGATE);
    }
}
