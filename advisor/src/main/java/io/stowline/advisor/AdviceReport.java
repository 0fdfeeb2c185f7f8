package io.stowline.advisor;

import io.stowline.advisor.internal.page.ReportJson;
import io.stowline.advisor.internal.page.ReportPage;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The judgements of all practices at one time, in the order of the checklists. Immutable.
 *
 * @param at the time of the report
 * @param window the time that the evidence covers
 * @param totals the traffic of the window
 * @param timeline the traffic of each part of the window, the oldest first
 * @param rows one finding for each practice
 */
public record AdviceReport(
        Instant at,
        Duration window,
        AdviceReport.Totals totals,
        List<AdviceReport.Slice> timeline,
        List<Finding> rows) {

    /**
     * The traffic of a window.
     *
     * @param clients the clients that are open
     * @param attempts the attempts that have ended
     * @param failures the attempts that ended by throttling, an error of the service, a timeout or a connection
     * @param throttled the attempts that the service refused for load
     * @param bytesSent the bytes of bodies to the service
     * @param bytesReceived the bytes of bodies from the service
     * @param missed the events that evidence lacks, because another thread was adding one
     */
    public record Totals(
            int clients,
            long attempts,
            long failures,
            long throttled,
            long bytesSent,
            long bytesReceived,
            long missed) {}

    /**
     * The traffic of one part of a window.
     *
     * @param start its begin
     * @param attempts the attempts that have ended
     * @param failures the attempts that ended by throttling, an error of the service, a timeout or a connection
     * @param throttled the attempts that the service refused for load
     * @param entities the entities of tables, written, returned and scanned
     * @param messages the messages that were sent, received, updated and deleted
     * @param bytes the bytes of bodies, both ways
     */
    public record Slice(
            Instant start, long attempts, long failures, long throttled, long entities, long messages, long bytes) {}

    /**
     * Copies the lists.
     *
     * @param at the time of the report
     * @param window the time that the evidence covers
     * @param totals the traffic of the window
     * @param timeline the traffic of each part of the window
     * @param rows one finding for each practice
     */
    public AdviceReport {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(window, "window");
        Objects.requireNonNull(totals, "totals");
        timeline = List.copyOf(timeline);
        rows = List.copyOf(rows);
    }

    /**
     * Returns the findings that call for a change, the gravest first. Suppressed ones are in the rows only.
     *
     * @return the open findings
     */
    public List<Finding> findings() {
        return rows.stream()
                .filter(Finding::isOpen)
                .sorted(Comparator.comparing(Finding::severity).reversed())
                .toList();
    }

    /**
     * Returns the row of a practice.
     *
     * @param practice the practice
     * @return its finding
     */
    public Finding of(Practice practice) {
        return rows.stream()
                .filter(row -> row.practice() == practice)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the report has no row of " + practice));
    }

    /**
     * Returns the gravest severity of the open findings.
     *
     * @return the severity; {@link Severity#OK} if none is open
     */
    public Severity worst() {
        return rows.stream()
                .filter(Finding::isOpen)
                .map(Finding::severity)
                .max(Comparator.naturalOrder())
                .orElse(Severity.OK);
    }

    /**
     * Returns the report as one page of HTML that needs no other file, no script and no network: the checklists with their boxes, a card
     * for each open finding with its evidence and its mend, and pictures of the traffic. Its texts are escaped, and its content security
     * policy allows nothing but its style sheet.
     *
     * @return the page, to be stored or sent in UTF-8
     */
    public String html() {
        return ReportPage.html(this);
    }

    /**
     * Returns the report as one object of JSON, in ASCII. Its fields are called as the components of this record and of {@link Finding}.
     *
     * @return the object
     */
    public String json() {
        return ReportJson.json(this);
    }
}
