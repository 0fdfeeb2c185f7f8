package io.stowline.benchmarks.growth;

import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.report.Series;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rounds of curves, and their text: a line for each round.
 *
 * @param curves the rounds of each size, in ascending order
 */
record GrowthResults(Map<GrowthCurve, Map<Integer, Series>> curves) {

    private static final String HEAD = "curve,size,per_second,cpu_micros,bytes,peak_bytes";

    /** Returns the results of one curve. */
    static GrowthResults of(GrowthCurve curve, Map<Integer, Series> sizes) {
        return new GrowthResults(Map.of(curve, sizes));
    }

    /** Returns these results, and those of the other ones for the curves that these have not. */
    GrowthResults or(GrowthResults others) {
        Map<GrowthCurve, Map<Integer, Series>> both = new EnumMap<>(GrowthCurve.class);
        both.putAll(others.curves);
        both.putAll(curves);
        return new GrowthResults(both);
    }

    /** Returns the rounds of a curve, without any if it is not measured. */
    Map<Integer, Series> of(GrowthCurve curve) {
        return curves.getOrDefault(curve, Map.of());
    }

    /** Returns the text of the file. */
    String text() {
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        curves.forEach((curve, sizes) -> sizes.forEach(
                (size, series) -> series.rounds().forEach(round -> text.append(line(curve, size, round)))));
        return text.toString();
    }

    private static String line(GrowthCurve curve, int size, Figures round) {
        return String.format(
                Locale.ROOT,
                "%s,%d,%.2f,%.4f,%.2f,%s%n",
                curve.id(),
                size,
                round.perSecond(),
                round.cpuMicros(),
                round.bytes(),
                Double.isNaN(round.peakBytes()) ? "" : String.format(Locale.ROOT, "%.0f", round.peakBytes()));
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    static GrowthResults read(String text) {
        List<String> lines = text.lines().toList();
        if (lines.isEmpty() || !lines.get(0).equals(HEAD)) {
            throw new IllegalArgumentException("figures of growth begin with the line " + HEAD);
        }
        Map<GrowthCurve, Map<Integer, List<Figures>>> rounds = new EnumMap<>(GrowthCurve.class);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            if (cells.length != 6) {
                throw new IllegalArgumentException("a line of figures has 6 cells, not " + cells.length + ": " + line);
            }
            rounds.computeIfAbsent(GrowthCurve.named(cells[0]), curve -> new TreeMap<>())
                    .computeIfAbsent(Integer.valueOf(cells[1]), size -> new ArrayList<>())
                    .add(figures(cells));
        }
        Map<GrowthCurve, Map<Integer, Series>> curves = new EnumMap<>(GrowthCurve.class);
        rounds.forEach((curve, sizes) -> {
            Map<Integer, Series> series = new TreeMap<>();
            sizes.forEach((size, each) -> series.put(size, new Series(each)));
            curves.put(curve, series);
        });
        return new GrowthResults(curves);
    }

    private static Figures figures(String[] cells) {
        Figures figures = new Figures(
                Double.parseDouble(cells[2]), Double.parseDouble(cells[3]), Double.parseDouble(cells[4]), Double.NaN);
        return cells[5].isEmpty() ? figures : figures.withPeak(Double.parseDouble(cells[5]));
    }
}
