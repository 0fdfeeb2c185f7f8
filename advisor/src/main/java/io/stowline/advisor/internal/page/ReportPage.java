package io.stowline.advisor.internal.page;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Figure;
import io.stowline.advisor.Finding;
import io.stowline.advisor.Suppression;
import java.util.List;
import java.util.Locale;

/**
 * A report as one page of HTML that needs no other file: no script, no network, and one style sheet, which its content security policy
 * allows by its digest. Used by one thread.
 */
public final class ReportPage {

    private static final int MAX_OBJECT = 160;
    private static final PageStyle STYLE = PageStyle.load();

    private final AdviceReport report;
    private final Markup page = new Markup();

    private ReportPage(AdviceReport report) {
        this.report = report;
    }

    /**
     * Returns a report as a page.
     *
     * @return the page, whose encoding is UTF-8
     */
    public static String html(AdviceReport report) {
        return new ReportPage(report).page();
    }

    private String page() {
        page.doctype().begin("html", "lang", "en").begin("head");
        page.empty("meta", "charset", "utf-8");
        page.empty("meta", "http-equiv", "Content-Security-Policy", "content", STYLE.policy());
        page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        page.empty("meta", "name", "color-scheme", "content", "light dark");
        page.empty("meta", "name", "referrer", "content", "no-referrer");
        page.element("title", "Storage advice: " + summary()).style(STYLE.css());
        page.end().begin("body");
        header();
        page.begin("main");
        findings("To change", "to-change", report.findings());
        checklist();
        List<Finding> suppressed = report.rows().stream()
                .filter(row -> row.suppression() != null && row.severity().isBroken())
                .toList();
        if (!suppressed.isEmpty()) {
            findings("Suppressed", "suppressed", suppressed);
        }
        page.end();
        footer();
        return page.end().end().toString();
    }

    private String summary() {
        int open = report.findings().size();
        return open == 0 ? "no practice to change" : open == 1 ? "1 practice to change" : open + " practices to change";
    }

    private void header() {
        page.begin("header").element("h1", "Storage advice");
        page.begin("p", "class", "lead").element("strong", summary());
        page.text(", by " + FigureText.time(report.window()) + " of traffic up to " + FigureText.time(report.at()));
        page.end();
        AdviceReport.Totals totals = report.totals();
        page.begin("dl", "class", "totals");
        total("clients", FigureText.count(totals.clients()));
        total("attempts", FigureText.count(totals.attempts()));
        total("failed", FigureText.count(totals.failures()));
        total("throttled", FigureText.count(totals.throttled()));
        total("sent", FigureText.bytes((double) totals.bytesSent()));
        total("received", FigureText.bytes((double) totals.bytesReceived()));
        page.end();
        overview();
        TrafficChart.draw(page, report);
        page.end();
    }

    private void total(String name, String value) {
        page.begin("div").element("dt", name).element("dd", value).end();
    }

    /** The boxes of all practices, each a link to its row or its card. */
    private void overview() {
        page.begin("nav", "aria-label", "Practices");
        for (Checklist checklist : Checklist.values()) {
            page.begin("div", "class", "boxes").element("span", checklist.title(), "class", "service");
            page.begin("div", "class", "chips");
            for (Finding finding : checklist.rows(report)) {
                RowState state = RowState.of(finding);
                String target = finding.isOpen() ? "#" : "#row-";
                page.begin("a", "class", "chip " + state.style(), "href", target + finding.practice());
                page.element("span", state.box(), "aria-hidden", "true").text(" " + finding.practice());
                page.element("span", " " + state.label(), "class", finding.isOpen() ? "seen" : "unseen")
                        .end();
            }
            page.end().end();
        }
        page.begin("p", "class", "legend small");
        for (RowState state : RowState.values()) {
            long count = report.rows().stream()
                    .filter(row -> RowState.of(row) == state)
                    .count();
            if (count > 0) {
                page.begin("span", "class", state.style()).element("span", state.box(), "class", "box");
                page.text(" " + state.label() + " " + count).end().text(" ");
            }
        }
        page.end().end();
    }

    private void findings(String title, String id, List<Finding> findings) {
        page.begin("section", "aria-labelledby", id).element("h2", title, "id", id);
        if (findings.isEmpty()) {
            page.element("p", "The traffic of this window breaks no practice.");
        }
        findings.forEach(this::card);
        page.end();
    }

    private void card(Finding finding) {
        RowState state = RowState.of(finding);
        page.begin("article", "class", "card " + state.style(), "id", finding.practice());
        page.begin("h3").element("span", state.label(), "class", "badge");
        page.text(" " + finding.practice() + ": " + finding.practice().title()).end();
        page.element("p", finding.problem(), "class", "problem");
        suppression(finding);
        evidence(finding.evidence());
        objects(finding.objects());
        if (!finding.mend().isEmpty()) {
            page.element("h4", "Mend").element("p", finding.mend());
        }
        if (!finding.code().isEmpty()) {
            page.begin("pre").element("code", finding.code()).end();
        }
        page.begin("p", "class", "small");
        page.text("Since " + FigureText.time(finding.since()) + ", window " + FigureText.time(finding.window()) + ". ");
        if (!finding.limits().isEmpty()) {
            page.text(finding.limits() + " ");
        }
        documentation(finding);
        page.end().end();
    }

    private void suppression(Finding finding) {
        Suppression suppression = finding.suppression();
        if (suppression != null) {
            String until = suppression.until() == null ? "" : " until " + suppression.until();
            String severity = finding.severity().name().toLowerCase(Locale.ROOT);
            page.element("p", "Suppressed" + until + " (" + severity + "): " + suppression.reason(), "class", "small");
        }
    }

    private void evidence(List<Figure> evidence) {
        if (evidence.isEmpty()) {
            return;
        }
        page.begin("table", "class", "evidence").begin("thead").begin("tr");
        for (String column : List.of("Evidence", "Value", "Threshold", "Samples")) {
            page.element("th", column, "scope", "col");
        }
        page.end().end().begin("tbody");
        for (Figure figure : evidence) {
            page.begin("tr").element("th", figure.name(), "scope", "row");
            page.begin("td").text(figure.text());
            meter(figure);
            page.end();
            Double limit = figure.threshold();
            page.element("td", limit == null ? "–" : new Figure("", limit, figure.unit(), null, 0).text());
            page.element("td", figure.samples() == 0 ? "–" : FigureText.count(figure.samples()));
            page.end();
        }
        page.end().end();
    }

    /** A bar for the value and a line for the threshold. */
    private void meter(Figure figure) {
        Double value = figure.value();
        Double threshold = figure.threshold();
        if (value == null || threshold == null || !Double.isFinite(value + threshold) || value < 0 || threshold < 0) {
            return;
        }
        double max = Math.max(Math.max(value, threshold) * 1.1, Double.MIN_NORMAL);
        double limit = threshold / max * 120;
        page.begin("svg", "viewBox", "0 0 120 8", "class", "meter", "aria-hidden", "true");
        page.empty("rect", "class", "track", "x", 0, "y", 1, "width", 120, "height", 6);
        page.empty("rect", "class", "bar", "x", 0, "y", 1, "width", value / max * 120, "height", 6);
        page.empty("line", "class", "limit", "x1", limit, "y1", 0, "x2", limit, "y2", 8);
        page.end();
    }

    private void objects(List<String> objects) {
        if (objects.isEmpty()) {
            return;
        }
        page.element("h4", "Where").begin("ul", "class", "objects");
        for (String object : objects) {
            page.element("li", shortened(object));
        }
        page.end();
    }

    /** A key may have a thousand characters. */
    private static String shortened(String object) {
        int points = object.codePointCount(0, object.length());
        return points <= MAX_OBJECT ? object : object.substring(0, object.offsetByCodePoints(0, MAX_OBJECT)) + "…";
    }

    private void checklist() {
        page.begin("section", "aria-labelledby", "checklist").element("h2", "Checklist", "id", "checklist");
        for (Checklist checklist : Checklist.values()) {
            page.element("h3", checklist.title()).begin("ul", "class", "checklist");
            checklist.rows(report).forEach(this::row);
            page.end();
        }
        page.end();
    }

    private void row(Finding finding) {
        RowState state = RowState.of(finding);
        page.begin("li", "class", state.style(), "id", "row-" + finding.practice());
        page.begin("details").begin("summary");
        page.element("span", state.box(), "class", "box", "aria-hidden", "true");
        page.element("span", finding.practice().name(), "class", "id");
        page.element("span", finding.practice().title(), "class", "title");
        page.element("span", state.label(), "class", "badge").end();
        page.element("p", finding.problem());
        if (!finding.severity().isBroken()) {
            evidence(finding.evidence());
        }
        page.begin("p", "class", "small");
        if (finding.severity().isBroken()) {
            page.element("a", "Evidence and mend of " + finding.practice(), "href", "#" + finding.practice());
            page.text(" · ");
        }
        documentation(finding);
        page.end().end().end();
    }

    private void documentation(Finding finding) {
        page.element("a", "Documentation of " + finding.practice(), "href", finding.link(), "rel", "noreferrer");
    }

    private void footer() {
        page.begin("footer").begin("p", "class", "small");
        page.text("Judged by the traffic of one process. Other clients of the accounts are not seen.");
        if (report.totals().missed() > 0) {
            page.text(" Evidence lacks " + FigureText.count(report.totals().missed())
                    + " events that ended while another thread added one.");
        }
        page.end().end();
    }
}
