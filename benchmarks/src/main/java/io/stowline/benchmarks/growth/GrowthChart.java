package io.stowline.benchmarks.growth;

import io.stowline.benchmarks.chart.SvgChart;
import io.stowline.benchmarks.side.report.Series;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The figures of a growth as lines over its sizes, with a panel for each figure and a stroke from the least to the most of the rounds. Sizes grow by
 * factors; a figure begins at zero, or grows by factors, too, where its ends lie far apart. Readable on light and on dark ground.
 */
final class GrowthChart {

    private static final int WIDTH = 860;
    private static final int LEFT = 48;
    private static final int COLUMN = 284;
    private static final int PANEL_WIDTH = 226;
    private static final int PANEL_HEIGHT = 150;
    private static final int TOP = 84;
    private static final int ROW = 214;
    private static final int COLUMNS = 3;
    /** Ends that lie further apart than this show nothing on a scale that begins at zero. */
    private static final double FAR = 12;

    private static final String RULES = """
            .line { fill: none; stroke-width: 2; }
            .spread { stroke-width: 1; stroke-opacity: 0.7; }
            .c0 { stroke: @blue; } .c1 { stroke: @orange; stroke-dasharray: 6 3; }
            .d0 { fill: @blue; } .d1 { fill: @orange; }
            """;

    private final Growth growth;
    private final List<GrowthFigure> figures;
    private final List<GrowthCurve> curves;
    private final GrowthResults results;
    private final SvgChart svg;

    private GrowthChart(Growth growth, GrowthResults results) {
        this.growth = growth;
        this.curves = GrowthCurve.of(growth).stream()
                .filter(curve -> !results.of(curve).isEmpty())
                .toList();
        this.results = results;
        this.figures = GrowthFigure.of(growth);
        int rows = (figures.size() + COLUMNS - 1) / COLUMNS;
        this.svg = new SvgChart(growth.title(), WIDTH, TOP + rows * ROW, RULES);
    }

    /** Draws what is measured of a growth. */
    static String of(Growth growth, GrowthResults results) {
        return new GrowthChart(growth, results).draw();
    }

    private String draw() {
        legend();
        if (!curves.isEmpty()) {
            for (int i = 0; i < figures.size(); i++) {
                panel(figures.get(i), LEFT + i % COLUMNS * COLUMN, TOP + i / COLUMNS * ROW);
            }
        }
        return svg.end();
    }

    private void legend() {
        for (int i = 0; i < curves.size(); i++) {
            int x = 10 + 240 * i;
            svg.append("<line class=\"line c%d\" x1=\"%d\" y1=\"40\" x2=\"%d\" y2=\"40\"/>", i, x, x + 26);
            svg.append(
                    "<text class=\"small\" x=\"%d\" y=\"44\">%s</text>%n",
                    x + 32, curves.get(i).title());
        }
    }

    private void panel(GrowthFigure figure, int left, int top) {
        Axis sizes = Axis.over(curves.stream()
                .flatMap(curve -> results.of(curve).keySet().stream())
                .sorted()
                .distinct()
                .map(Integer::doubleValue)
                .toList());
        Axis values = values(figure);
        svg.append("<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>%n", left, top - 12, figure.title(growth));
        for (double tick : values.ticks()) {
            double y = top + PANEL_HEIGHT * (1 - values.share(tick));
            svg.append(
                    "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>",
                    left, y, left + PANEL_WIDTH, y);
            svg.append(
                    "<text class=\"small\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
                    left - 4, y + 4, Axis.label(tick));
        }
        for (double tick : sizes.ticks()) {
            svg.append(
                    "<text class=\"small\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    left + PANEL_WIDTH * sizes.share(tick), top + PANEL_HEIGHT + 15, Axis.label(tick));
        }
        svg.append(
                "<text class=\"small\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                left + PANEL_WIDTH / 2, top + PANEL_HEIGHT + 32, growth.axis());
        for (int i = 0; i < curves.size(); i++) {
            curve(i, figure, sizes, values, left, top);
        }
    }

    private void curve(int number, GrowthFigure figure, Axis sizes, Axis values, int left, int top) {
        StringBuilder path = new StringBuilder();
        for (Map.Entry<Integer, Series> point : results.of(curves.get(number)).entrySet()) {
            Series series = point.getValue();
            double x = left + PANEL_WIDTH * sizes.share(point.getKey());
            double y = top + PANEL_HEIGHT * (1 - values.share(figure.median(series)));
            path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", x, y));
            svg.append(
                    "<line class=\"spread c%d\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                    number,
                    x,
                    top + PANEL_HEIGHT * (1 - values.share(figure.least(series))),
                    x,
                    top + PANEL_HEIGHT * (1 - values.share(figure.max(series))));
            svg.append("<circle class=\"d%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>%n", number, x, y);
        }
        svg.append("<path class=\"line c%d\" d=\"%s\"/>%n", number, path);
    }

    private Axis values(GrowthFigure figure) {
        double[] all = curves.stream()
                .flatMap(curve -> results.of(curve).values().stream())
                .flatMapToDouble(series -> DoubleStream.of(figure.least(series), figure.max(series)))
                .filter(value -> value > 0)
                .sorted()
                .toArray();
        double least = all[0];
        double max = all[all.length - 1];
        return max > FAR * least ? Axis.byFactors(least, max) : Axis.fromZero(max);
    }
}
