package io.stowline.spring.doors;

import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A picture of one trace: a bar for each span below its parent, on a line of time. Readable on light and on dark ground. */
final class TraceChart {

    private static final int WIDTH = 860;
    private static final int LEFT = 230;
    private static final int RIGHT = 90;
    private static final int TOP = 64;
    private static final int ROW = 28;
    private static final int BAR = 14;
    private static final int INDENT = 14;
    private static final int STEPS = 4;
    private static final double NANOS = 1e6;

    private static final String STYLE = """
        <style>
        text { font: 12px system-ui, sans-serif; fill: #24292f; }
        .head { font-weight: 600; font-size: 15px; }
        .small { font-size: 11px; }
        .grid { stroke: #8b949e; stroke-opacity: 0.3; }
        .tree { stroke: #8b949e; fill: none; }
        .server { fill: #8250df; } .producer { fill: #c9510c; } .consumer { fill: #1a7f37; } .client { fill: #2f7ed8; }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .server { fill: #bc8cff; } .producer { fill: #ffa657; } .consumer { fill: #56d364; } .client { fill: #58a6ff; }
        }
        </style>
        """;

    private final StringBuilder svg = new StringBuilder();
    private final Map<String, List<SpanData>> children;
    private final List<Row> rows = new ArrayList<>();
    private final long begin;
    private final long length;

    private record Row(SpanData span, int depth, int parent) {}

    private TraceChart(List<SpanData> spans) {
        this.children = spans.stream()
                .sorted(Comparator.comparingLong(SpanData::getStartEpochNanos))
                .collect(Collectors.groupingBy(SpanData::getParentSpanId));
        this.begin =
                spans.stream().mapToLong(SpanData::getStartEpochNanos).min().orElseThrow();
        this.length = spans.stream().mapToLong(SpanData::getEndEpochNanos).max().orElseThrow() - begin;
    }

    /** Draws the spans of one trace. */
    static String of(List<SpanData> spans) {
        return new TraceChart(spans).draw();
    }

    private void add(String parent, int depth, int row) {
        for (SpanData span : children.getOrDefault(parent, List.of())) {
            rows.add(new Row(span, depth, row));
            add(span.getSpanId(), depth + 1, rows.size() - 1);
        }
    }

    private String draw() {
        add("0000000000000000", 0, -1);
        int height = TOP + rows.size() * ROW + 40;
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " role=\"img\">",
                WIDTH, height, WIDTH, height);
        svg.append(STYLE);
        text(20, 26, "head", "One trace, from an HTTP request to the handling of its message");
        grid(TOP + rows.size() * ROW);
        for (int i = 0; i < rows.size(); i++) {
            row(rows.get(i), TOP + i * ROW);
        }
        legend(height - 14);
        return svg.append("</svg>\n").toString();
    }

    private void grid(int bottom) {
        for (int i = 0; i <= STEPS; i++) {
            double x = x(begin + length * i / STEPS);
            line("<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x, TOP - 10, x, bottom);
            text(x - 12, TOP - 16, "small", String.format(Locale.ROOT, "%.1f ms", length / NANOS * i / STEPS));
        }
    }

    private void row(Row row, int y) {
        SpanData span = row.span();
        int indent = 20 + row.depth() * INDENT;
        if (row.parent() >= 0) {
            int from = TOP + row.parent() * ROW + BAR + 2;
            line("<path class=\"tree\" d=\"M%d %d V%d H%d\"/>", indent - 9, from, y + BAR / 2, indent - 3);
        }
        text(indent, y + BAR - 2, "name", span.getName());
        double x = x(span.getStartEpochNanos());
        double width = Math.max(2, x(span.getEndEpochNanos()) - x);
        line(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
                span.getKind().name().toLowerCase(Locale.ROOT), x, y, width, BAR);
        text(
                x + width + 6,
                y + BAR - 2,
                "small",
                String.format(Locale.ROOT, "%.1f ms", (span.getEndEpochNanos() - span.getStartEpochNanos()) / NANOS));
    }

    private void legend(int y) {
        int x = 20;
        for (String kind : List.of("server", "client", "producer", "consumer")) {
            line("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"12\" height=\"10\" rx=\"2\"/>", kind, x, y - 9);
            text(x + 18, y, "small", kind);
            x += 90;
        }
    }

    private double x(long nanos) {
        return LEFT + (double) (nanos - begin) / length * (WIDTH - LEFT - RIGHT);
    }

    private void text(double x, int y, String style, String text) {
        line(
                "<text class=\"%s\" x=\"%.1f\" y=\"%d\">%s</text>",
                style, x, y, text.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private void line(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
