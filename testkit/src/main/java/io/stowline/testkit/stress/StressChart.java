package io.stowline.testkit.stress;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The steps as an SVG picture: above, the rates with the targets, and below, the latencies on a logarithmic scale. Used by one thread.
 */
final class StressChart {

    private static final int LEFT = 80;
    private static final int TOP = 70;
    private static final int HEIGHT = 260;
    private static final int GAP = 90;
    private static final int COLUMN = 34;
    private static final int BAR = 22;
    private static final int MARGIN = 40;
    private static final String READ = "#3b8fc2";
    private static final String WRITTEN = "#2b7a4b";
    private static final String THROTTLED = "#c0392b";
    private static final String HELD_BACK = "#b8bec4";
    private static final String TARGET = "#1f4e79";
    private static final String MEDIAN = "#8e6bbf";
    private static final String TAIL = "#d9822b";

    private final StringBuilder svg = new StringBuilder();
    private final StressReport report;
    private final List<StressStep> steps;
    private final int right;
    private final double highestRate;
    private final double highestLatency;

    private StressChart(StressReport report) {
        this.report = report;
        this.steps = report.steps();
        this.right = LEFT + Math.max(12, steps.size()) * COLUMN;
        this.highestRate = 1.1
                * steps.stream()
                        .mapToDouble(step -> Math.max(step.offered(), step.accepted() + refused(step)))
                        .max()
                        .orElse(1);
        this.highestLatency = Math.max(
                110, 1.2 * steps.stream().mapToDouble(StressStep::p99).max().orElse(1));
    }

    /** Draws the chart. */
    static String svg(StressReport report) {
        return new StressChart(report).draw();
    }

    private String draw() {
        int height = TOP + 2 * HEIGHT + GAP + MARGIN;
        append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">",
                right + MARGIN, height, right + MARGIN, height);
        append("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        text(LEFT, 24, "start", 16, "Stress test");
        rates();
        latencies();
        return svg.append("</svg>\n").toString();
    }

    private void rates() {
        int bottom = TOP + HEIGHT;
        legend(
                LEFT,
                46,
                List.of("PUT", "GET", "refused", "not sent", "target"),
                List.of(WRITTEN, READ, THROTTLED, HELD_BACK, TARGET));
        text(LEFT - 60, TOP - 8, "start", 12, "entities/s");
        for (double tick = 0; tick <= highestRate; tick += tick(highestRate)) {
            line(LEFT, y(tick), right, y(tick), "#e3e6e8", "");
            text(LEFT - 8, y(tick) + 4, "end", 12, String.format(Locale.ROOT, "%,.0f", tick));
        }
        for (int i = 0; i < steps.size(); i++) {
            StressStep step = steps.get(i);
            double written = y(step.puts());
            double accepted = y(step.accepted());
            double refused = y(step.accepted() + refused(step));
            double heldBack = Math.min(refused, y(step.offered()));
            box(x(i), heldBack, refused - heldBack, HELD_BACK);
            box(x(i), refused, accepted - refused, THROTTLED);
            box(x(i), accepted, written - accepted, READ);
            box(x(i), written, bottom - written, WRITTEN);
        }
        groups(bottom);
        line(LEFT, bottom, right, bottom, "#444444", "");
    }

    /** Refusals of calls that succeeded later are not part of the offered rate. */
    private static double refused(StressStep step) {
        return Math.max(0, Math.min(step.throttled() + step.timedOut(), step.offered() - step.accepted()));
    }

    private void groups(int bottom) {
        int first = 0;
        for (int i = 1; i <= steps.size(); i++) {
            int partitions = steps.get(first).partitions();
            if (i == steps.size() || steps.get(i).partitions() != partitions) {
                double from = x(first) - COLUMN / 4.0;
                double to = x(i - 1) + BAR + COLUMN / 4.0;
                double target = Math.min(partitions * report.partitionTarget(), report.accountTarget());
                if (target <= highestRate) {
                    line(from, y(target), to, y(target), TARGET, " stroke-width=\"2\" stroke-dasharray=\"6 3\"");
                }
                line(to, TOP, to, bottom + 24, "#c9ced2", " stroke-dasharray=\"2 3\"");
                text((from + to) / 2, bottom + 18, "middle", 12, Integer.toString(partitions));
                first = i;
            }
        }
        text((LEFT + right) / 2.0, bottom + 38, "middle", 12, "partitions, and in each group the rising load");
    }

    private void latencies() {
        int top = TOP + HEIGHT + GAP;
        int bottom = top + HEIGHT;
        legend(LEFT + 120, top - 12, List.of("p50", "p99"), List.of(MEDIAN, TAIL));
        text(LEFT - 60, top - 8, "start", 12, "latency, ms");
        for (double tick = 1; tick <= highestLatency; tick *= 10) {
            double height = logarithmic(tick, top);
            line(LEFT, height, right, height, "#e3e6e8", "");
            text(LEFT - 8, height + 4, "end", 12, String.format(Locale.ROOT, "%,.0f", tick));
        }
        line(LEFT, bottom, right, bottom, "#444444", "");
        curve(StressStep::p50, MEDIAN, top);
        curve(StressStep::p99, TAIL, top);
    }

    private void curve(ToDoubleFunction<StressStep> latency, String colour, int top) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < steps.size(); i++) {
            double x = x(i) + BAR / 2.0;
            double y = logarithmic(latency.applyAsDouble(steps.get(i)), top);
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
            append("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x, y, colour);
        }
        append(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
                points.toString().strip(), colour);
    }

    private void legend(int x, int y, List<String> names, List<String> colours) {
        int left = x;
        for (int i = 0; i < names.size(); i++) {
            append("<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>", left, y - 10, colours.get(i));
            text(left + 18, y, "start", 12, names.get(i));
            left += 40 + 7 * names.get(i).length();
        }
    }

    private void box(double x, double y, double height, String colour) {
        if (height > 0) {
            append("<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"/>", x, y, BAR, height, colour);
        }
    }

    private void line(double x1, double y1, double x2, double y2, String colour, String more) {
        append("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>", x1, y1, x2, y2, colour, more);
    }

    private void text(double x, double y, String anchor, int size, String text) {
        append(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"#222222\">%s</text>",
                x, y, anchor, size, text);
    }

    private void append(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static double x(int step) {
        return LEFT + step * COLUMN + (COLUMN - BAR) / 2.0;
    }

    private double y(double rate) {
        return TOP + HEIGHT * (1 - rate / highestRate);
    }

    private double logarithmic(double millis, int top) {
        return top + HEIGHT * (1 - Math.log10(Math.max(1, millis)) / Math.log10(highestLatency));
    }

    /** Returns a distance of ticks of which about five fit. */
    static double tick(double highest) {
        double power = Math.pow(10, Math.floor(Math.log10(highest / 5)));
        double lead = highest / 5 / power;
        return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
    }
}
