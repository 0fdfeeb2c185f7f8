package io.stowline.benchmarks.scale;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table of figures in Markdown, whose first column is text, and the texts of its cells. */
final class FigureTable {

    private static final int NOT_BACK = 400;

    private FigureTable() {}

    static String of(List<String> head, Stream<List<String>> rows) {
        String line = "|---" + "|---:".repeat(head.size() - 1) + "|";
        return Stream.concat(Stream.of(row(head), line), rows.map(FigureTable::row))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
    }

    /** A figure of successes means nothing without any. */
    static String ofSuccesses(ScaleResult result, String figure) {
        return result.goodput() == 0 ? "" : figure;
    }

    static String percent(double share) {
        return number("%.1f %%", 100 * share);
    }

    static String times(double multiple) {
        return number("%.1f ×", multiple);
    }

    /** At the end of the run the goodput of the last ten seconds is not known. */
    static String back(ScaleResult result) {
        return result.recoverySeconds() > NOT_BACK ? "not in 7 min" : result.recoverySeconds() + " s";
    }

    static String seconds(double millis) {
        return millis < 1_000 ? number("%.0f ms", millis) : number("%.1f s", millis / 1_000);
    }

    static String number(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
