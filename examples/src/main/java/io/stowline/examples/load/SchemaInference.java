package io.stowline.examples.load;

import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The types of columns, taken from the first rows: the narrowest that all values of a column suit. Empty values are ignored. Text of JSON
 * stays text, and numbers with leading zeros do too.
 */
final class SchemaInference {

    /** The number of rows that the inference reads. */
    static final int SAMPLE = 1_000;

    // As an enum set is read: a column of whole numbers suits both types of numbers.
    private static final Set<ColumnType> NARROWEST_FIRST =
            EnumSet.of(ColumnType.LONG, ColumnType.DOUBLE, ColumnType.BOOLEAN, ColumnType.TIME, ColumnType.UUID);

    private final boolean typed;
    private final Map<String, Set<ColumnType>> candidates = new LinkedHashMap<>();

    private SchemaInference(boolean typed) {
        this.typed = typed;
    }

    /** Reads the first rows of a source. */
    static Map<String, ColumnType> of(RowSource source) throws IOException {
        SchemaInference inference = new SchemaInference(source.typed());
        source.columns().forEach(column -> inference.candidates.put(column, EnumSet.copyOf(NARROWEST_FIRST)));
        InputRow row = source.next();
        while (row != null && row.number() <= SAMPLE) {
            if (row.problem() == null) {
                row.values().forEach(inference::see);
            }
            row = source.next();
        }
        return inference.types();
    }

    private void see(String column, Object value) {
        Set<ColumnType> left = candidates.computeIfAbsent(column, name -> EnumSet.copyOf(NARROWEST_FIRST));
        String text = value.toString();
        if (typed && value instanceof String) {
            left.clear();
        } else if (!text.isEmpty()) {
            left.removeIf(type -> !type.suits(text));
        }
    }

    private Map<String, ColumnType> types() {
        Map<String, ColumnType> types = new LinkedHashMap<>();
        candidates.forEach((column, left) -> types.put(
                column,
                left.isEmpty() || left.size() == NARROWEST_FIRST.size()
                        ? ColumnType.STRING
                        : left.iterator().next()));
        return types;
    }
}
