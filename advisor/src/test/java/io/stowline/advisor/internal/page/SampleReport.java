package io.stowline.advisor.internal.page;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Figure;
import io.stowline.advisor.Finding;
import io.stowline.advisor.Practice;
import io.stowline.advisor.Severity;
import io.stowline.advisor.Suppression;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** Reports with rows of each state, whose texts contain a name. */
final class SampleReport {

    /** Markup, a change of direction, a script from right to left, a control character, half a character and a long word. */
    static final String HOSTILE =
            "<script>alert(1)</script>\"'&amp;\u202Eabc \u05d0\u05d1\u05d2 \u0627\u0644 \u0000\n\uD800\uDB40\uDC01 "
                    + "x".repeat(1_024);

    private static final Instant NOW = Instant.parse("2026-11-29T00:26:03Z");
    private static final Duration WINDOW = Duration.ofMinutes(5);

    private SampleReport() {}

    static AdviceReport of(String name) {
        List<Finding> rows = new ArrayList<>();
        for (Practice practice : Practice.values()) {
            rows.add(row(practice, name));
        }
        List<AdviceReport.Slice> timeline = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            timeline.add(new AdviceReport.Slice(
                    NOW.minusSeconds(300 - 30 * i),
                    3_000 + 400L * i,
                    i == 4 ? 700 : 5,
                    i,
                    30_000 - 900L * i,
                    200,
                    5_000_000L * (1 + i % 3)));
        }
        return new AdviceReport(
                NOW,
                WINDOW,
                new AdviceReport.Totals(2, 51_234, 812, 401, 123_456_789, 987_654_321, 12),
                timeline,
                rows);
    }

    static AdviceReport empty() {
        List<Finding> rows = new ArrayList<>();
        for (Practice practice : Practice.values()) {
            rows.add(new Finding(
                    practice, Severity.NOT_ENOUGH_DATA, "", List.of(), List.of(), "", "", "", WINDOW, NOW, null));
        }
        return new AdviceReport(NOW, Duration.ZERO, new AdviceReport.Totals(0, 0, 0, 0, 0, 0, 0), List.of(), rows);
    }

    private static Finding row(Practice practice, String name) {
        Severity severity = severity(practice);
        boolean broken = severity.isBroken();
        String problem =
                switch (severity) {
                    case NOT_APPLICABLE -> "Traffic does not show it.";
                    case NOT_ENOUGH_DATA -> "Seen 12 of the 100 events that a judgement takes.";
                    case OK -> "No partition is above its threshold.";
                    default -> "91.2 % of the writes of the table " + name + " went to the end of its key range.";
                };
        List<Figure> evidence = severity == Severity.NOT_APPLICABLE
                ? List.of()
                : List.of(
                        new Figure("writes at the end of the key range", 91.2, "%", 80.0, 48_210),
                        new Figure("writes", 1_480.0, "writes/s", 500.0, 48_210),
                        new Figure("without a limit", Double.NaN, "s", null, 7),
                        new Figure("client", null, name, null, 0));
        return new Finding(
                practice,
                severity,
                problem,
                evidence,
                broken ? List.of("registrations", "partition #0123456789abcdef", name) : List.of(),
                broken ? "Prefix the key with a hash of a chosen number of buckets, so that writes spread." : "",
                broken && practice != Practice.T7
                        ? "KeyFormat.hashed(100).text(\"customer\").secondsFirst(\"time\"); // longer than a phone is"
                                + " wide"
                        : "",
                "Keys of one bucket still rise.",
                WINDOW,
                NOW.minusSeconds(120),
                practice == Practice.A5 ? new Suppression("we are abroad " + name, LocalDate.of(2027, 3, 1)) : null);
    }

    private static Severity severity(Practice practice) {
        return switch (practice) {
            case T7 -> Severity.ERROR;
            case T5, T6 -> Severity.WARNING;
            case Q5, A5 -> Severity.ADVICE;
            case A9, T10, Q7 -> Severity.NOT_ENOUGH_DATA;
            default -> practice.kind() == Practice.Kind.GUIDE ? Severity.NOT_APPLICABLE : Severity.OK;
        };
    }
}
