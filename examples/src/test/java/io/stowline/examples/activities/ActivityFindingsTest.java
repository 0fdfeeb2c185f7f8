package io.stowline.examples.activities;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.examples.shared.Report;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ActivityFindingsTest {

    private static final Instant AT = Instant.parse("2026-11-29T10:00:00Z");

    private final ActivityFindings findings = new ActivityFindings(4);

    @Test
    void findsNothingWrongWhereEachIsThereOnce() {
        for (int number = 0; number < 4; number++) {
            findings.take(Activity.of(number, AT));
        }

        assertThat(findings.wrong()).isEmpty();
        Report report = new Report();
        findings.report(report);
        assertThat(report.lines()).anyMatch(line -> line.matches("activities read back +4"));
    }

    @Test
    void namesWhatIsWrong() {
        Activity last = Activity.of(3, AT);
        findings.take(last);
        findings.take(last);
        findings.take(Activity.of(0, AT));
        findings.take(new Activity(AT, 4, last.user(), last.page(), last.campaign(), last.microcents()));

        assertThat(findings.wrong())
                .containsExactly(
                        "2 activities are lost, the first is number 1",
                        "1 activities are there twice, or were never accepted",
                        "1 activities are not as they were written",
                        "1 activities come before one that was written earlier");
    }
}
