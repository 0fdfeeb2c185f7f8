package io.stowline.examples.load;

import io.stowline.examples.shared.UsageException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The columns of an input as properties: their names and types. Immutable. */
final class LoadSchema {

    private static final Set<String> TAKEN = Set.of("PartitionKey", "RowKey", "Timestamp");

    private final Map<String, Column> columns;

    /**
     * A column.
     *
     * @param name its name in the input
     * @param property its name in the table
     * @param type how it is stored
     * @param given whether the caller gave the type
     */
    record Column(String name, String property, ColumnType type, boolean given) {}

    private LoadSchema(Map<String, Column> columns) {
        this.columns = columns;
    }

    /**
     * Joins what was inferred with what the caller gave.
     *
     * @param inferred the types of the columns that were seen
     * @param given types by the caller
     * @param complete whether a column that was not seen cannot come later
     * @throws UsageException if a given column is not there, or two columns would be one property
     */
    static LoadSchema of(Map<String, ColumnType> inferred, Map<String, ColumnType> given, boolean complete) {
        Map<String, Column> columns = new LinkedHashMap<>();
        inferred.forEach((name, type) -> columns.put(
                name, new Column(name, property(name), given.getOrDefault(name, type), given.containsKey(name))));
        given.forEach((name, type) -> {
            if (complete && !inferred.containsKey(name)) {
                throw new UsageException("--types: no column " + name + " in " + inferred.keySet());
            }
            columns.putIfAbsent(name, new Column(name, property(name), type, true));
        });
        Map<String, String> owners = new HashMap<>();
        columns.values().stream()
                .filter(column -> column.type() != ColumnType.NONE)
                .forEach(column -> {
                    String other = owners.put(column.property(), column.name());
                    if (other != null) {
                        throw new UsageException("columns " + other + " and " + column.name()
                                + " would both be the property " + column.property() + "; leave one out with --types '"
                                + column.name() + ":none'");
                    }
                });
        return new LoadSchema(columns);
    }

    /** Returns the column of this name; one that was not seen before has the type of its value. */
    Column column(String name, Object value) {
        Column known = columns.get(name);
        return known != null ? known : new Column(name, property(name), typeOf(value), false);
    }

    private static ColumnType typeOf(Object value) {
        if (value instanceof Boolean) {
            return ColumnType.BOOLEAN;
        }
        return value instanceof BigDecimal number
                ? ColumnType.LONG.suits(number.toString()) ? ColumnType.LONG : ColumnType.DOUBLE
                : ColumnType.STRING;
    }

    /** Returns a name that a property can have. */
    private static String property(String column) {
        String name = column.replaceAll("[^\\p{L}\\p{N}_]", "_");
        if (name.isEmpty() || Character.isDigit(name.charAt(0))) {
            name = "_" + name;
        }
        return TAKEN.contains(name) ? name + "_" : name;
    }

    boolean has(String column) {
        return columns.containsKey(column);
    }

    /** Returns a line for each column. */
    List<String> described() {
        List<String> lines = new ArrayList<>();
        columns.values()
                .forEach(column -> lines.add("  " + column.name() + ": "
                        + column.type().label()
                        + (column.given() ? "" : " (inferred)")
                        + (column.property().equals(column.name()) ? "" : ", stored as " + column.property())));
        return lines;
    }

    /** Returns the columns with their types, in one line. */
    @Override
    public String toString() {
        return columns.values().toString();
    }
}
