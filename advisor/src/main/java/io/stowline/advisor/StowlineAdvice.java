package io.stowline.advisor;

import java.util.List;
import java.util.Objects;

/**
 * An assertion for tests: the traffic of a test breaks no practice.
 *
 * <pre>{@code
 * Advisor advisor = Advisor.of(a -> a.minSamples(10));        // a test sends little
 * // the test, with clients that have advisor.listener()
 * StowlineAdvice.assertNone(advisor.report(), Severity.WARNING);
 * }</pre>
 */
public final class StowlineAdvice {

    private StowlineAdvice() {}

    /**
     * Fails if a report has an open finding of a severity or a graver one. Suppressed findings pass.
     *
     * @param report the report
     * @param least the least severity that fails: {@link Severity#ADVICE}, {@link Severity#WARNING} or {@link Severity#ERROR}
     * @throws AssertionError with the findings and their mends as text; also if the advisor has seen no attempt, so that it cannot judge
     * @throws IllegalArgumentException if the severity is none of a broken practice
     */
    public static void assertNone(AdviceReport report, Severity least) {
        Objects.requireNonNull(report, "report");
        if (!least.isBroken()) {
            throw new IllegalArgumentException("least is " + least + ": it must be ADVICE, WARNING or ERROR");
        }
        if (report.totals().attempts() == 0) {
            throw new AssertionError("the advisor has seen no attempt in " + report.window()
                    + ": give its listener to the client of the test");
        }
        List<Finding> found = report.findings().stream()
                .filter(finding -> finding.severity().compareTo(least) >= 0)
                .toList();
        if (!found.isEmpty()) {
            throw new AssertionError(text(found, least));
        }
    }

    private static String text(List<Finding> found, Severity least) {
        StringBuilder text = new StringBuilder("findings of severity " + least + " or graver: " + found.size());
        for (Finding finding : found) {
            text.append("\n\n").append(finding).append("\n  mend: ").append(finding.mend());
            if (!finding.code().isEmpty()) {
                text.append("\n  code: ").append(finding.code());
            }
            text.append("\n  ").append(finding.link());
        }
        return text.toString();
    }
}
