package io.stowline.benchmarks.side.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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

    private static final String STYLE = """
        <style>
        text { font: 13px system-ui, sans-serif; fill: #24292f; }
        .head { font-weight: 600; font-size: 15px; }
        .small { font-size: 12px; }
        .bar { fill: #2f7ed8; }
        .one { stroke: #8b949e; stroke-width: 1; stroke-dasharray: 3 3; }
        .gate { stroke: #c9510c; stroke-width: 2.5; }
        .aim { stroke: #2da44e; stroke-width: 2.5; }
        @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .bar { fill: #58a6ff; } }
        </style>
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
        StringBuilder out = new StringBuilder();
        out.append(text(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH, height, escaped(title)));
        out.append(STYLE);
        out.append(text("<text class=\"head\" x=\"8\" y=\"20\">%s</text>%n", escaped(title)));
        legend(out);
        out.append(mark("one", 1, TOP - 8, height - 8));
        for (int i = 0; i < outcomes.size(); i++) {
            bar(out, outcomes.get(i), TOP + ROW * i);
        }
        return out.append("</svg>\n").toString();
    }

    private static void legend(StringBuilder out) {
        out.append("<line class=\"gate\" x1=\"10\" y1=\"34\" x2=\"10\" y2=\"46\"/>")
                .append("<text class=\"small\" x=\"18\" y=\"44\">must be reached</text>")
                .append("<line class=\"aim\" x1=\"130\" y1=\"34\" x2=\"130\" y2=\"46\"/>")
                .append("<text class=\"small\" x=\"138\" y=\"44\">aim</text>")
                .append("<line class=\"one\" x1=\"180\" y1=\"34\" x2=\"180\" y2=\"46\"/>")
                .append("<text class=\"small\" x=\"188\" y=\"44\">the same</text>\n");
    }

    private void bar(StringBuilder out, ContenderResult outcome, int y) {
        double times = times(outcome.ratio(metric));
        out.append(text(
                "<text x=\"8\" y=\"%d\">%s</text>%n",
                y + 13, escaped(outcome.scenario().shortTitle())));
        out.append(text(
                "<rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
                LEFT, y, times * scale, BAR));
        outcome.scenario().goal(metric).ifPresent(goal -> {
            out.append(mark("gate", times(goal.gate()), y - 4, y + BAR + 4));
            if (!Double.isNaN(goal.aim())) {
                out.append(mark("aim", times(goal.aim()), y - 4, y + BAR + 4));
            }
        });
        double end = Math.max(
                times, outcome.scenario().goal(metric).map(this::furthest).orElse(0.0));
        out.append(text("<text x=\"%.1f\" y=\"%d\">%.1f×</text>%n", LEFT + end * scale + 8, y + 13, times));
    }

    private String mark(String kind, double times, int from, int to) {
        double x = LEFT + times * scale;
        return text("<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n", kind, x, from, x, to);
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

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
