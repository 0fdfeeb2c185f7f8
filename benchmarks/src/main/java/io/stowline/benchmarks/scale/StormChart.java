package io.stowline.benchmarks.scale;

import io.stowline.benchmarks.chart.SvgChart;
import io.stowline.benchmarks.scale.ScaleResult.ResultPart;
import io.stowline.benchmarks.scale.model.ComparedPolicy;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The requests of a region over time, before, in and after an outage, with a panel for each policy. Requests above the region's target
 * are red. Readable on light and on dark ground.
 */
final class StormChart {

    private static final List<ComparedPolicy> SHOWN = List.of(
            ComparedPolicy.FIXED,
            ComparedPolicy.FIXED_JITTER,
            ComparedPolicy.EXPONENTIAL,
            ComparedPolicy.EXPONENTIAL_JITTER,
            ComparedPolicy.FULL_JITTER,
            ComparedPolicy.SDK_TABLES,
            ComparedPolicy.SDK_STORAGE,
            ComparedPolicy.STOWLINE,
            ComparedPolicy.STOWLINE_WRITER,
            ComparedPolicy.STOWLINE_RATED);

    private static final int WIDTH = 860;
    private static final int COLUMNS = 2;
    private static final int TOP = 64;
    private static final int PANEL_WIDTH = 345;
    private static final int PANEL_HEIGHT = 110;
    private static final int COLUMN = 420;
    private static final int ROW = 170;
    private static final int LEFT = 62;
    private static final int HEAD = 24;
    private static final int MINUTE = 60;
    private static final double LOWEST = 100;
    private static final double HIGHEST = 100_000;
    private static final String[] LABELS = {"100", "1,000", "10,000", "100,000"};

    private static final String RULES = """
            .out { fill: @grey; fill-opacity: 0.22; }
            .sent { fill: @blue; fill-opacity: 0.75; }
            .storm { fill: @red; fill-opacity: 0.85; }
            .done { fill: none; stroke: @green; stroke-width: 1.6; }
            .doneKey { fill: @green; }
            .target { stroke: @orange; stroke-width: 1.5; stroke-dasharray: 5 3; }
            """;

    private final ScaleScenario scenario;
    private final ScaleResults results;
    private final double target;
    private final SvgChart svg;

    private StormChart(ScaleScenario scenario, ScaleResults results, double target) {
        this.scenario = scenario;
        this.results = results;
        this.target = target;
        int rows = (SHOWN.size() + COLUMNS - 1) / COLUMNS;
        this.svg = new SvgChart("Requests of a region: " + scenario.title(), WIDTH, TOP + rows * ROW, RULES);
    }

    /** Draws the outage of a scenario. */
    static String of(ScaleScenario scenario, ScaleResults results) {
        return new StormChart(scenario, results, scenario.targetOfRegion()).draw();
    }

    private String draw() {
        legend();
        for (int i = 0; i < SHOWN.size(); i++) {
            panel(SHOWN.get(i), LEFT + i % COLUMNS * COLUMN, TOP + i / COLUMNS * ROW + HEAD);
        }
        return svg.end();
    }

    private void legend() {
        key(8, "sent", "requests/s");
        key(110, "storm", "of them above the target");
        key(290, "doneKey", "successes/s");
        svg.append("<line class=\"target\" x1=\"400\" y1=\"40\" x2=\"426\" y2=\"40\"/>");
        svg.append("<text class=\"small\" x=\"432\" y=\"44\">target of the region</text>%n");
        key(570, "out", "outage");
        svg.append("<text class=\"small\" x=\"640\" y=\"44\">logarithmic scale; time in minutes</text>%n");
    }

    private void key(int x, String kind, String text) {
        svg.append("<rect class=\"%s\" x=\"%d\" y=\"34\" width=\"12\" height=\"12\"/>", kind, x);
        svg.append("<text class=\"small\" x=\"%d\" y=\"44\">%s</text>%n", x + 18, text);
    }

    private void panel(ComparedPolicy policy, int left, int top) {
        svg.append("<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>%n", left, top - 8, policy.title());
        results.find(scenario, policy, ResultPart.ALL)
                .ifPresent(result -> svg.append(
                        "<text class=\"small\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                        left + PANEL_WIDTH, top - 8, peaks(result)));
        results.series().stream()
                .filter(each -> each.scenario() == scenario && each.policy() == policy)
                .forEach(series -> plot(series, left, top));
    }

    private static String peaks(ScaleResult result) {
        return String.format(Locale.ROOT, "in it %.1f ×, after it %.1f ×", result.peakDuring(), result.peakAfter());
    }

    private void plot(RequestSeries series, int left, int top) {
        int bottom = top + PANEL_HEIGHT;
        double seconds = (double) series.sent().size() * series.interval();
        double perSecond = PANEL_WIDTH / seconds;
        svg.append(
                "<rect class=\"out\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                left + ScaleScenario.OUTAGE_BEGINS * perSecond,
                top,
                (ScaleScenario.OUTAGE_ENDS - ScaleScenario.OUTAGE_BEGINS) * perSecond,
                PANEL_HEIGHT);
        axes(left, top, seconds, perSecond);
        double line = y(target, top);
        area("sent", series, left, perSecond, bottom, Math.max(top, line), top);
        area("storm", series, left, perSecond, line, top, top);
        svg.append("<path class=\"done\" d=\"");
        for (int i = 0; i < series.done().size(); i++) {
            svg.append(
                    "%s%.1f %.1f",
                    i == 0 ? "M" : "L", x(series, i, left, perSecond), y(rate(series.done(), i, series), top));
        }
        svg.append("\"/>%n");
        svg.append(
                "<line class=\"target\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>%n",
                left, line, left + PANEL_WIDTH, line);
    }

    private void axes(int left, int top, double seconds, double perSecond) {
        double step = (double) PANEL_HEIGHT / (LABELS.length - 1);
        for (int i = 0; i < LABELS.length; i++) {
            double y = top + PANEL_HEIGHT - i * step;
            svg.append(
                    "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>",
                    left, y, left + PANEL_WIDTH, y);
            svg.append(
                    "<text class=\"small\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
                    left - 4, y + 4, LABELS[i]);
        }
        for (int minute = 0; minute * MINUTE <= seconds; minute++) {
            svg.append(
                    "<text class=\"small\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
                    left + minute * MINUTE * perSecond, top + PANEL_HEIGHT + 14, minute);
        }
        svg.append("%n");
    }

    /** Fills from a base up to the rate, as far as it is between the base and the ceiling. */
    private void area(
            String kind, RequestSeries series, int left, double perSecond, double base, double ceiling, int top) {
        double[] ys = IntStream.range(0, series.sent().size())
                .mapToDouble(i -> Math.max(ceiling, Math.min(base, y(rate(series.sent(), i, series), top))))
                .toArray();
        svg.append("<path class=\"%s\" d=\"M%d %.1f", kind, left, base);
        for (int i = 0; i < ys.length; i++) {
            boolean level = i > 0 && i + 1 < ys.length && ys[i] == ys[i - 1] && ys[i] == ys[i + 1];
            if (!level) {
                svg.append("L%.1f %.1f", x(series, i, left, perSecond), ys[i]);
            }
        }
        svg.append("L%d %.1fZ\"/>%n", left + PANEL_WIDTH, base);
    }

    private static double x(RequestSeries series, int i, int left, double perSecond) {
        return left + (i + 0.5) * series.interval() * perSecond;
    }

    private static double rate(List<Long> counts, int i, RequestSeries series) {
        return (double) counts.get(i) / series.interval();
    }

    private static double y(double rate, int top) {
        double share =
                StrictMath.log(Math.max(LOWEST, Math.min(HIGHEST, rate)) / LOWEST) / StrictMath.log(HIGHEST / LOWEST);
        return top + PANEL_HEIGHT * (1 - share);
    }
}
