package io.stowline.advisor.internal.page;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.AdviceReport.Slice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** A picture of the traffic in a window: a bar for each of its parts, as wide as its time. Used by one thread. */
final class TrafficChart {

    private static final double WIDTH = 320;
    private static final double HEIGHT = 90;
    private static final double FOOT = 16;
    private static final double GAP = 4;
    private static final double MIN_WIDTH = 1;

    /** In seconds: the last part of a window has just begun, and would show any rate. */
    private static final double MIN_SECONDS = 1;

    private final Markup page;
    private final List<Slice> slices;
    private final Instant start;
    private final Instant end;
    private final double scale;

    private TrafficChart(Markup page, AdviceReport report) {
        this.page = page;
        this.slices = report.timeline();
        this.start = slices.get(0).start();
        this.end = report.at();
        this.scale = WIDTH / Math.max(MIN_SECONDS, seconds(start, end));
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
        for (int i = 0; i < totals.length; i++) {
            bar("bar", i, max == 0 ? 0 : totals[i] / max);
            bar("bad", i, max == 0 ? 0 : failures[i] / max);
        }
        page.empty("line", "class", "axis", "x1", 0, "y1", HEIGHT, "x2", WIDTH, "y2", HEIGHT);
        label(0, "start", FigureText.time(Duration.between(start, end)) + " ago");
        label(WIDTH, "end", "now");
        page.end().begin("figcaption").text(caption);
        if (anyFailed) {
            page.text("; ").element("span", "failed ones at the foot of a bar", "class", "bad-text");
        }
        page.end().end();
    }

    private void bar(String style, int slice, double share) {
        if (share > 0) {
            double x = seconds(start, slices.get(slice).start()) * scale;
            double width = Math.max(MIN_WIDTH, seconds(slice) * scale - GAP);
            double height = share * (HEIGHT - 2);
            page.empty("rect", "class", style, "x", x, "y", HEIGHT - height, "width", width, "height", height);
        }
    }

    private double[] rates(ToDoubleFunction<Slice> count) {
        double[] rates = new double[slices.size()];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = count.applyAsDouble(slices.get(i)) / Math.max(MIN_SECONDS, seconds(i));
        }
        return rates;
    }

    private double seconds(int slice) {
        return seconds(
                slices.get(slice).start(),
                slice + 1 < slices.size() ? slices.get(slice + 1).start() : end);
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1e3;
    }

    private void label(double x, String anchor, String text) {
        page.element("text", text, "x", x, "y", HEIGHT + FOOT - 3, "text-anchor", anchor);
    }
}
