package io.stowline.examples.checkup;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Finding;
import io.stowline.advisor.Practice;
import io.stowline.advisor.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The reports on the two programs.
 *
 * @param careless that on the one which breaks the practices
 * @param careful that on its mended twin
 */
record CheckupFindings(AdviceReport careless, AdviceReport careful) {

    /** Returns the practices that a report shows as broken, in the order of the checklists. */
    static List<Practice> broken(AdviceReport report) {
        return report.rows().stream()
                .filter(Finding::isOpen)
                .map(Finding::practice)
                .toList();
    }

    /** Returns a table of the practices that were broken. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(line("practice", "careless", "careful"));
        for (Practice practice : Practice.values()) {
            Severity before = careless.of(practice).severity();
            Severity after = careful.of(practice).severity();
            if (before.isBroken() || after.isBroken()) {
                lines.add(line(
                        String.format(Locale.ROOT, "%-3s  %s", practice, practice.title()), text(before), text(after)));
            }
        }
        long mended = broken(careless).stream()
                .filter(practice -> !careful.of(practice).isOpen())
                .count();
        lines.add("");
        lines.add(mended + " of " + broken(careless).size() + " broken practices are mended; requests: "
                + careless.totals().attempts() + " before, " + careful.totals().attempts() + " now.");
        return lines;
    }

    private static String line(String practice, String before, String after) {
        return String.format(Locale.ROOT, "%-68s  %-8s  %s", practice, before, after);
    }

    /** Few events are left where a practice is obeyed by sending less. */
    private static String text(Severity severity) {
        return severity == Severity.NOT_ENOUGH_DATA
                ? "too few requests to judge"
                : severity.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the grave findings on the careful program, of which there should be none. */
    List<String> unexpected() {
        return careful.findings().stream()
                .filter(finding -> finding.severity().compareTo(Severity.WARNING) >= 0)
                .map(finding -> "the careful program: " + finding)
                .toList();
    }
}
