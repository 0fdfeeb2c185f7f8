package io.stowline.benchmarks.chart;

import java.util.Locale;
import java.util.Map;

/**
 * A chart as a picture in SVG with a heading, which its drawer fills. Its colours have names, and each is another one on dark ground. Not
 * thread-safe.
 */
public final class SvgChart {

    private static final Map<String, String> LIGHT = Map.of(
            "@text", "#24292f",
            "@grey", "#8b949e",
            "@blue", "#2f7ed8",
            "@orange", "#c9510c",
            "@red", "#c9302c",
            "@green", "#1a7f37");

    private static final Map<String, String> DARK = Map.of(
            "@text", "#e6edf3",
            "@grey", "#8b949e",
            "@blue", "#58a6ff",
            "@orange", "#ffa657",
            "@red", "#ff7b72",
            "@green", "#56d364");

    private static final String TEXTS = """
            text { font: 12px system-ui, sans-serif; fill: @text; }
            .head { font-weight: 600; font-size: 15px; }
            .name { font-weight: 600; }
            .small { font-size: 11px; }
            .grid { stroke: @grey; stroke-opacity: 0.3; }
            """;

    private final StringBuilder svg = new StringBuilder();

    /**
     * Begins a chart.
     *
     * @param rules the CSS of the marks that it draws, with {@code @blue}, {@code @orange}, {@code @red}, {@code @green}, {@code @grey} and
     *     {@code @text} as colours; texts have the classes {@code name} and {@code small}, lines behind the marks {@code grid}
     */
    public SvgChart(String title, int width, int height, String rules) {
        append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                width, height, escaped(title));
        append(
                "<style>%n%s@media (prefers-color-scheme: dark) {%n%s}%n</style>%n",
                coloured(TEXTS + rules, LIGHT), coloured(TEXTS + rules, DARK));
        append("<text class=\"head\" x=\"8\" y=\"20\">%s</text>%n", escaped(title));
    }

    private static String coloured(String rules, Map<String, String> colours) {
        String coloured = rules;
        for (Map.Entry<String, String> colour : colours.entrySet()) {
            coloured = coloured.replace(colour.getKey(), colour.getValue());
        }
        return coloured;
    }

    /** Adds elements, whose numbers have a full stop whatever the machine's language. */
    public void append(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }

    /** Returns a text as an element or an attribute holds it. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    /** Returns the finished picture. */
    public String end() {
        return svg + "</svg>\n";
    }
}
