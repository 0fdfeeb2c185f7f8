package io.stowline.benchmarks.side.report;

import io.stowline.benchmarks.chart.SvgChart;
import java.util.ArrayList;
import java.util.List;

/**
 * Horizontal bars that show how many times better Stowline is than its peer, with marks where the gate and the aim are. Readable on light
 * and on dark ground.
 */
public final class BarChart {

    private static final int WIDTH = 760;
    private static final int LEFT = 330;
    private static final int RIGHT = 60;
    private static final int TOP = 58;
    private static final int ROW = 34;
    private static final int BAR = 16;

    private static final String RULES = """
            .bar { fill: @blue; }
            .one { stroke: @grey; stroke-width: 1; stroke-dasharray: 3 3; }
            .gate { stroke: @orange; stroke-width: 2.5; }
            .aim { stroke: @green; stroke-width: 2.5; }
            """;

    private final String title;
    private final Metric metric;
    private final List<ContenderResult> outcomes;
    private final double scale;

    private BarChart(String title, Metric metric, List<ContenderResult> outcomes) {
        this.title = title;
        this.metric = metric;
        this.outcomes = outcomes;
        this.scale = (WIDTH - LEFT - RIGHT) / widest();
    }

    /** Draws one bar for each workload that is compared with the SDK. */
    public static String of(String title, Metric metric, List<ContenderResult> outcomes) {
        return new BarChart(
                        title,
                        metric,
                        outcomes.stream()
                                .filter(outcome -> shows(outcome) && outcome.has(metric))
                                .toList())
                .svg();
    }

    /** The others are not compared with the SDK, or wait most of the time. */
    private static boolean shows(ContenderResult outcome) {
        return outcome.scenario().peer().equals("the SDK") && outcome.scenario() != Scenario.DISTANT;
    }

    private String svg() {
        int height = TOP + ROW * outcomes.size() + 12;
        SvgChart out = new SvgChart(title, WIDTH, height, RULES);
        legend(out);
        mark(out, "one", 1, TOP - 8, height - 8);
        for (int i = 0; i < outcomes.size(); i++) {
            bar(out, outcomes.get(i), TOP + ROW * i);
        }
        return out.end();
    }

    private static void legend(SvgChart out) {
        key(out, "gate", 10, "must be reached");
        key(out, "aim", 130, "aim");
        key(out, "one", 180, "the same");
    }

    private static void key(SvgChart out, String kind, int x, String text) {
        out.append("<line class=\"%s\" x1=\"%d\" y1=\"34\" x2=\"%d\" y2=\"46\"/>", kind, x, x);
        out.append("<text class=\"small\" x=\"%d\" y=\"44\">%s</text>%n", x + 8, text);
    }

    private void bar(SvgChart out, ContenderResult outcome, int y) {
        double times = times(outcome.ratio(metric));
        out.append(
                "<text x=\"8\" y=\"%d\">%s</text>%n",
                y + 13, SvgChart.escaped(outcome.scenario().shortTitle()));
        out.append(
                "<rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
                LEFT, y, times * scale, BAR);
        outcome.scenario().goal(metric).ifPresent(goal -> {
            mark(out, "gate", times(goal.gate()), y - 4, y + BAR + 4);
            if (!Double.isNaN(goal.aim())) {
                mark(out, "aim", times(goal.aim()), y - 4, y + BAR + 4);
            }
        });
        double end = Math.max(
                times, outcome.scenario().goal(metric).map(this::furthest).orElse(0.0));
        out.append("<text x=\"%.1f\" y=\"%d\">%.1f×</text>%n", LEFT + end * scale + 8, y + 13, times);
    }

    private void mark(SvgChart out, String kind, double times, int from, int to) {
        double x = LEFT + times * scale;
        out.append("<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n", kind, x, from, x, to);
    }

    /** Inverted where less is better, so that a longer bar is always better. */
    private double times(double ratio) {
        return metric.moreIsBetter() ? ratio : 1 / ratio;
    }

    private double furthest(Goal goal) {
        return times(Double.isNaN(goal.aim()) ? goal.gate() : goal.aim());
    }

    private double widest() {
        List<Double> ends = new ArrayList<>(List.of(1.0));
        for (ContenderResult outcome : outcomes) {
            ends.add(times(outcome.ratio(metric)));
            outcome.scenario().goal(metric).ifPresent(goal -> ends.add(furthest(goal)));
        }
        return ends.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    }
}
