package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.AttemptReason;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("attempts at tables are judged as the client sends them")
class TableEvidenceTest {

    private final FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));

    @Test
    void targetsAreThoseOfEachAccount() {
        traffic.run(
                50,
                160,
                i -> traffic.add(FakeAttempt.transaction("p" + i % 500, 100).of("acct" + i % 2)));

        assertThat(traffic.severity(Practice.T1)).isEqualTo(Severity.OK);
    }

    @Test
    void transactionsOfOtherPartitionsCannotBeFuller() {
        traffic.run(50, 50, i -> traffic.add(FakeAttempt.transaction("p" + i, 3)));

        assertThat(traffic.severity(Practice.T12)).isEqualTo(Severity.OK);
    }

    @Test
    void partsOfLargerOperationsWaitByDesign() {
        traffic.run(
                50,
                20,
                i -> traffic.add(FakeAttempt.upload("b" + i, 100_000)
                        .partOf("uploadDirectory")
                        .waiting(300)));

        assertThat(traffic.severity(Practice.A13)).isNotEqualTo(Severity.ADVICE);
    }

    @Test
    void aSingleTimeoutIsChance() {
        traffic.run(50, 20, i -> traffic.add(FakeAttempt.find("p" + i, "r", "e")));
        traffic.add(FakeAttempt.find("p", "r", "e")
                .ending(AttemptReason.TIMEOUT, 0, null)
                .taking(30_000));

        assertThat(traffic.severity(Practice.A15)).isNotEqualTo(Severity.ADVICE);
    }

    @Test
    void aBurstAtTheStartIsNoRate() {
        traffic.run(0.5, 400, i -> traffic.add(FakeAttempt.insert("p" + i, "r")));

        assertThat(traffic.advisor.report().findings()).isEmpty();
    }

    @Test
    void entitiesOfTransactionsHaveASize() {
        traffic.add(FakeAttempt.transaction("p", 2).writing(1_900_000));

        assertThat(traffic.severity(Practice.T20)).isEqualTo(Severity.ADVICE);
    }

    @Test
    void aBurstOverTheBorderOfTwoPartsHasARate() {
        traffic.pass(Duration.ofMillis(5_000));
        traffic.run(2, 100, i -> traffic.add(FakeAttempt.transaction("p", 100)));

        assertThat(traffic.severity(Practice.T6)).isEqualTo(Severity.ADVICE);
    }

    @Test
    void aMissingTableIsAMistake() {
        traffic.run(
                50,
                20,
                i -> traffic.add(FakeAttempt.insert("p" + i, "r").ending(AttemptReason.REFUSED, 404, "TableNotFound")));

        assertThat(traffic.finding(Practice.A16).isOpen()).isTrue();
    }

    @Test
    void aMissingEntityIsAResult() {
        traffic.run(
                50,
                20,
                i -> traffic.add(
                        FakeAttempt.insert("p" + i, "r").ending(AttemptReason.REFUSED, 404, "ResourceNotFound")));

        assertThat(traffic.finding(Practice.A16).isOpen()).isFalse();
    }

    @Test
    void aDeletionAfterAReadIsNoUpsert() {
        traffic.run(50, 20, i -> {
            traffic.add(FakeAttempt.find("p" + i, "r", "e"));
            traffic.add(FakeAttempt.of("table", "delete", "runners")
                    .at("p" + i, "r")
                    .writing(0));
        });

        assertThat(traffic.severity(Practice.T13)).isEqualTo(Severity.OK);
    }
}
