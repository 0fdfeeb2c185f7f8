package io.stowline.examples.activities;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A chart of records per second over time, as text and as SVG, with a mark where the process ended. Not thread-safe. */
final class RateChart {

    private static final long SLOT_MILLIS = 250;
    private static final int MAX_BARS = 32;
    private static final int BAR = 40;
    private static final int WIDTH = 760;
    private static final int HEIGHT = 260;
    private static final int LEFT = 70;
    private static final int TOP = 50;
    private static final int BOTTOM = 30;

    private static final String STYLE = """
        <style>
        text { font: 13px system-ui, sans-serif; fill: #24292f; }
        .head { font-weight: 600; font-size: 15px; }
        .bar { fill: #2f7ed8; }
        .halt { stroke: #c9510c; stroke-width: 2; stroke-dasharray: 4 3; }
        @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .bar { fill: #58a6ff; } }
        </style>
        """;

    private final TreeMap<Long, Long> slots = new TreeMap<>();
    private OptionalLong halt = OptionalLong.empty();

    /** Adds records at a time from the begin. */
    void add(long millis, long records) {
        slots.merge(millis / SLOT_MILLIS, records, Long::sum);
    }

    /** Marks the time of the end of a process. */
    void halt(long millis) {
        halt = OptionalLong.of(millis / SLOT_MILLIS);
    }

    /** Returns the rate of each bar, from the first record to the last. */
    private List<Long> rates() {
        List<Long> rates = new ArrayList<>();
        if (!slots.isEmpty()) {
            long together = together();
            for (long slot = slots.firstKey(); slot <= slots.lastKey(); slot += together) {
                long records = slots.subMap(slot, slot + together).values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
                rates.add(records * 1_000 / (SLOT_MILLIS * together));
            }
        }
        return rates;
    }

    /** Returns how many slots have one bar together, so that a long run has no more bars than a short one. */
    private long together() {
        return slots.isEmpty() ? 1 : 1 + (slots.lastKey() - slots.firstKey()) / MAX_BARS;
    }

    private boolean isHalt(int index) {
        return halt.isPresent() && !slots.isEmpty() && (halt.getAsLong() - slots.firstKey()) / together() == index;
    }

    private double seconds(int index) {
        return (double) index * together() * SLOT_MILLIS / 1e3;
    }

    /** Returns a line for each quarter of a second, or for several of them. */
    List<String> lines() {
        List<Long> rates = rates();
        long max = Math.max(1, rates.stream().mapToLong(Long::longValue).max().orElse(1));
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < rates.size(); i++) {
            String bar = "#".repeat((int) (rates.get(i) * BAR / max)) + (isHalt(i) ? " killed" : "");
            lines.add(String.format(Locale.ROOT, "%5.2f s %,9d  %s", seconds(i), rates.get(i), bar)
                    .stripTrailing());
        }
        return lines;
    }

    /** Returns a picture that is readable on light and on dark ground. */
    String svg() {
        List<Long> rates = rates();
        long max = Math.max(1, rates.stream().mapToLong(Long::longValue).max().orElse(1));
        double step = (double) (WIDTH - LEFT - 10) / Math.max(1, rates.size());
        int floor = HEIGHT - BOTTOM;
        StringBuilder out = new StringBuilder();
        out.append(text(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                        + " aria-label=\"Records per second\">\n",
                WIDTH, HEIGHT));
        out.append(STYLE);
        out.append("<text class=\"head\" x=\"8\" y=\"20\">Records per second</text>\n");
        out.append(text("<text x=\"8\" y=\"%d\">%,d</text>\n", TOP + 5, max));
        out.append(text("<text x=\"8\" y=\"%d\">0</text>\n", floor));
        for (int i = 0; i < rates.size(); i++) {
            double height = (double) (floor - TOP) * rates.get(i) / max;
            double x = LEFT + i * step;
            out.append(text(
                    "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                    x, floor - height, Math.max(1, step - 2), height));
            if (isHalt(i)) {
                out.append(text(
                        "<line class=\"halt\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>"
                                + "<text x=\"%.1f\" y=\"%d\">killed</text>\n",
                        x + step, TOP - 14, x + step, floor, x + step + 6, TOP - 4));
            }
            if (i % 4 == 0) {
                out.append(text("<text x=\"%.1f\" y=\"%d\">%.0f s</text>\n", x, HEIGHT - 10, seconds(i)));
            }
        }
        return out.append("</svg>\n").toString();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
