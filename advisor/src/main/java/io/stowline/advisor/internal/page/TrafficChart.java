package io.stowline.advisor.internal.page;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.AdviceReport.Slice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** A picture of the traffic in a window: one bar for each of its parts. Used by one thread. */
final class TrafficChart {

    private static final double WIDTH = 320;
    private static final double HEIGHT = 90;
    private static final double FOOT = 16;
    private static final double GAP = 4;

    /** In seconds: the last part of a window has just begun, and would show any rate. */
    private static final double MIN_SECONDS = 1;

    private final Markup page;
    private final List<Slice> slices;
    private final Instant end;

    private TrafficChart(Markup page, AdviceReport report) {
        this.page = page;
        this.slices = report.timeline();
        this.end = report.at();
    }

    /** Adds the pictures of a report to its page. */
    static void draw(Markup page, AdviceReport report) {
        if (report.timeline().isEmpty()) {
            return;
        }
        TrafficChart chart = new TrafficChart(page, report);
        page.begin("div", "class", "charts");
        chart.bars("attempts per second", Slice::attempts, Slice::failures, FigureText::rate);
        chart.bars(
                "entities and messages per second",
                slice -> (double) slice.entities() + slice.messages(),
                slice -> 0,
                FigureText::rate);
        chart.bars("bytes per second", Slice::bytes, slice -> 0, FigureText::bytes);
        page.end();
    }

    private void bars(
            String title,
            ToDoubleFunction<Slice> total,
            ToDoubleFunction<Slice> failed,
            DoubleFunction<String> rateText) {
        double[] totals = rates(total);
        double[] failures = rates(failed);
        double max = 0;
        boolean anyFailed = false;
        for (int i = 0; i < totals.length; i++) {
            max = Math.max(max, totals[i]);
            anyFailed |= failures[i] > 0;
        }
        String caption = title + ", at most " + rateText.apply(max);
        page.begin("figure");
        page.begin("svg", "viewBox", "0 0 320 106", "role", "img", "aria-label", caption);
        double column = WIDTH / slices.size();
        for (int i = 0; i < totals.length; i++) {
            bar("bar", i * column, column, max == 0 ? 0 : totals[i] / max);
            bar("bad", i * column, column, max == 0 ? 0 : failures[i] / max);
        }
        page.empty("line", "class", "axis", "x1", 0, "y1", HEIGHT, "x2", WIDTH, "y2", HEIGHT);
        Duration covered = Duration.between(slices.get(0).start(), end);
        label(0, "start", FigureText.time(covered) + " ago");
        label(WIDTH, "end", "now");
        page.end().begin("figcaption").text(caption);
        if (anyFailed) {
            page.text("; ").element("span", "failed ones at the foot of a bar", "class", "bad-text");
        }
        page.end().end();
    }

    private void bar(String style, double x, double column, double share) {
        double height = share * (HEIGHT - 2);
        if (height > 0) {
            page.empty(
                    "rect",
                    "class",
                    style,
                    "x",
                    x + GAP / 2,
                    "y",
                    HEIGHT - height,
                    "width",
                    column - GAP,
                    "height",
                    height);
        }
    }

    private double[] rates(ToDoubleFunction<Slice> count) {
        double[] rates = new double[slices.size()];
        for (int i = 0; i < rates.length; i++) {
            Instant next = i + 1 < rates.length ? slices.get(i + 1).start() : end;
            double seconds = Duration.between(slices.get(i).start(), next).toMillis() / 1e3;
            rates[i] = count.applyAsDouble(slices.get(i)) / Math.max(MIN_SECONDS, seconds);
        }
        return rates;
    }

    private void label(double x, String anchor, String text) {
        page.element("text", text, "x", x, "y", HEIGHT + FOOT - 3, "text-anchor", anchor);
    }
}
