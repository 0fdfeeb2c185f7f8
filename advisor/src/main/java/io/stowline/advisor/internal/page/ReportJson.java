package io.stowline.advisor.internal.page;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Figure;
import io.stowline.advisor.Finding;
import io.stowline.advisor.Suppression;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A report as one object of JSON. Used by one thread. */
public final class ReportJson {

    private final StringBuilder json = new StringBuilder(32 << 10);

    private ReportJson() {}

    /**
     * Returns a report as JSON.
     *
     * @return the object: {@code at}, {@code window}, {@code worst}, {@code totals}, {@code timeline} and {@code rows}
     */
    public static String json(AdviceReport report) {
        ReportJson writer = new ReportJson();
        writer.report(report);
        return writer.json.toString();
    }

    private void report(AdviceReport report) {
        json.append('{');
        text("at", report.at().toString());
        text("window", report.window().toString());
        text("worst", report.worst().name());
        AdviceReport.Totals totals = report.totals();
        name("totals").append('{');
        number("clients", totals.clients());
        number("attempts", totals.attempts());
        number("failures", totals.failures());
        number("throttled", totals.throttled());
        number("bytesSent", totals.bytesSent());
        number("bytesReceived", totals.bytesReceived());
        number("missed", totals.missed());
        end('}');
        array("timeline", report.timeline(), this::slice);
        array("rows", report.rows(), this::finding);
        end('}');
    }

    private void slice(AdviceReport.Slice slice) {
        json.append('{');
        text("start", slice.start().toString());
        number("attempts", slice.attempts());
        number("failures", slice.failures());
        number("throttled", slice.throttled());
        number("entities", slice.entities());
        number("messages", slice.messages());
        number("bytes", slice.bytes());
        end('}');
    }

    private void finding(Finding finding) {
        json.append('{');
        text("practice", finding.practice().name());
        text("title", finding.practice().title());
        text("severity", finding.severity().name());
        text("problem", finding.problem());
        array("evidence", finding.evidence(), this::figure);
        array("objects", finding.objects(), this::quoted);
        text("mend", finding.mend());
        text("code", finding.code());
        text("limits", finding.limits());
        text("link", finding.link().toString());
        text("window", finding.window().toString());
        text("since", finding.since().toString());
        Suppression suppression = finding.suppression();
        if (suppression != null) {
            name("suppression").append('{');
            text("reason", suppression.reason());
            if (suppression.until() != null) {
                text("until", suppression.until().toString());
            }
            end('}');
        }
        end('}');
    }

    private void figure(Figure figure) {
        json.append('{');
        text("name", figure.name());
        number("value", figure.value());
        text("unit", figure.unit());
        number("threshold", figure.threshold());
        number("samples", figure.samples());
        end('}');
    }

    private StringBuilder name(String name) {
        char last = json.charAt(json.length() - 1);
        if (last != '{' && last != '[') {
            json.append(',');
        }
        return json.append('"').append(name).append("\":");
    }

    private void text(String name, String value) {
        name(name);
        quoted(value);
    }

    private void number(String name, long value) {
        name(name).append(value);
    }

    /** JSON has no infinity and no NaN. */
    private void number(String name, @Nullable Double value) {
        if (value != null && Double.isFinite(value)) {
            name(name).append(value);
        }
    }

    private <T> void array(String name, List<T> values, Consumer<T> each) {
        name(name).append('[');
        for (int i = 0; i < values.size(); i++) {
            json.append(i == 0 ? "" : ",");
            each.accept(values.get(i));
        }
        end(']');
    }

    private void end(char bracket) {
        json.append(bracket);
    }

    /** Escapes all but printable ASCII, so that no reader depends on a charset. */
    private void quoted(String value) {
        json.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7F && c != '<') {
                json.append(c);
            } else {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
        json.append('"');
    }
}
