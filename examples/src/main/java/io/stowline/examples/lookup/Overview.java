package io.stowline.examples.lookup;

import io.stowline.caching.CacheOutcome;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * The table of what was read and what it cost.
 *
 * @param settings the settings
 * @param prices the blob
 * @param counted whether the requests on the wire were counted
 */
record Overview(Column settings, Column prices, boolean counted) {

    void print(PrintStream out, Duration allowed) {
        out.printf(Locale.ROOT, "%n%-26s %12s %12s%n", "", "settings", "blob");
        row(out, "reads", column -> column.tally().reads());
        row(out, "requests made", Column::requests);
        row(out, "  saved", Column::saved);
        if (counted) {
            row(out, "KiB received", Column::kilobytes);
            row(out, "  saved", Column::kilobytesSaved);
        }
        for (CacheOutcome outcome : CacheOutcome.values()) {
            row(out, outcome.name(), column -> column.tally().reads(outcome));
        }
        row(out, "outdated at the most, ms", column -> column.tally().oldest().toMillis());
        row(out, "  allowed", column -> allowed.toMillis());
        out.println();
    }

    private void row(PrintStream out, String label, ToLongFunction<Column> value) {
        out.printf(Locale.ROOT, "%-26s %,12d %,12d%n", label, value.applyAsLong(settings), value.applyAsLong(prices));
    }
}
