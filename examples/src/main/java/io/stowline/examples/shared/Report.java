package io.stowline.examples.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of labels and figures: the labels begin in one column, the figures end in one. Not thread-safe. */
public final class Report {

    private final List<Row> rows = new ArrayList<>();

    private record Row(String label, String value) {}

    /**
     * Adds a row.
     *
     * @param label its name
     * @param format how the value is shown
     * @param value the value
     * @return this report
     */
    public Report row(String label, String format, Object value) {
        rows.add(new Row(label, String.format(Locale.ROOT, format, value)));
        return this;
    }

    /**
     * Returns the table.
     *
     * @return a line for each row
     */
    public List<String> lines() {
        int labels = rows.stream().mapToInt(row -> row.label().length()).max().orElse(0);
        int values = rows.stream().mapToInt(row -> row.value().length()).max().orElse(0);
        String format = "%-" + Math.max(1, labels) + "s  %" + Math.max(1, values) + "s";
        return rows.stream()
                .map(row -> String.format(Locale.ROOT, format, row.label(), row.value()))
                .toList();
    }
}
