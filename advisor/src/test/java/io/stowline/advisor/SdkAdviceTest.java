package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Judgements of a process that has clients of the Azure SDK only. */
class SdkAdviceTest {

    private final FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));

    private void run() {
        traffic.run(30, 20, i -> {
            traffic.add(FakeAttempt.insert("p" + i, "r"));
            traffic.add(FakeAttempt.transaction("p" + i, 50));
            traffic.add(FakeAttempt.download("a" + i, "e").taking(100));
            traffic.add(FakeAttempt.receive(32, 1));
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"A10", "A11", "A13", "A14", "B4", "T3", "Q2", "Q7"})
    void someCannotBeJudged(Practice practice) {
        traffic.advisor.policy();
        run();

        Finding finding = traffic.finding(practice);
        assertThat(finding.severity()).isEqualTo(Severity.NOT_APPLICABLE);
        assertThat(finding.problem()).isNotBlank();
    }

    @ParameterizedTest
    @EnumSource(names = {"A10", "A11", "A13", "A14", "B4", "T3"})
    void aStowlineClientBesideShowsThem(Practice practice) {
        traffic.advisor.policy();
        traffic.open("table", FakeTraffic.info(), Duration.ZERO);
        run();

        assertThat(traffic.severity(practice)).isNotEqualTo(Severity.NOT_APPLICABLE);
    }

    @Test
    void noReportClaimsWhatItDoesNotSee() {
        traffic.advisor.policy();
        run();

        assertThat(traffic.finding(Practice.A15).problem()).contains("do not show their back-off");
        assertThat(traffic.finding(Practice.T18).problem()).isEqualTo("Transactions end in time.");
        assertThat(traffic.severity(Practice.T12)).isEqualTo(Severity.OK);
    }
}
