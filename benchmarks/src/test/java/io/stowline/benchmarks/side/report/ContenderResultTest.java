package io.stowline.benchmarks.side.report;

import static io.stowline.benchmarks.side.OutcomesOfTests.outcome;
import static io.stowline.benchmarks.side.OutcomesOfTests.rates;
import static io.stowline.benchmarks.side.OutcomesOfTests.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContenderResultTest {

    @Test
    void takesTheMedianOfTheRounds() {
        assertThat(rates(5, 1, 3).median(Metric.RATE)).isEqualTo(3);
        assertThat(rates(4, 1, 3, 2).median(Metric.RATE)).isEqualTo(2.5);
        assertThat(rates(5, 1, 3).min(Metric.RATE)).isEqualTo(1);
        assertThat(rates(5, 1, 3).max(Metric.RATE)).isEqualTo(5);
    }

    @Test
    void hasNoMedianWithoutRounds() {
        assertThatThrownBy(() -> new Series(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void comparesTheMedians() {
        ContenderResult outcome = outcome(Scenario.INGEST, rates(30, 20, 40), rates(10, 5, 20));

        assertThat(outcome.ratio(Metric.RATE)).isEqualTo(3);
        assertThat(outcome.ratio(Metric.CPU)).isCloseTo(1 / 3.0, within(1e-9));
        assertThat(outcome.ratios(Metric.RATE)).containsExactly(3, 4, 2);
    }

    @Test
    void knowsHowFarTheRoundsLieApart() {
        ContenderResult outcome = outcome(Scenario.INGEST, rates(30, 20, 40), rates(10, 5, 20));

        assertThat(outcome.spread(Metric.RATE)).isCloseTo((4.0 - 2.0) / 3.0, within(1e-9));
        assertThat(outcome(Scenario.INGEST, rates(30, 15), rates(10, 5)).spread(Metric.CPU))
                .isZero();
    }

    @Test
    void namesTheGatesThatAreMissed() {
        ContenderResult outcome = outcome(Scenario.INGEST, rates(45), rates(10));

        assertThat(outcome.missed()).extracting(Goal::metric).containsExactly(Metric.BYTES);
        assertThat(outcome(Scenario.INGEST, rates(60), rates(10)).missed()).isEmpty();
    }

    @Test
    void aGateIsMetWhenItIsJustReached() {
        assertThat(outcome(Scenario.SINGLES, rates(80), rates(10)).missed()).isEmpty();
        assertThat(outcome(Scenario.SINGLES, rates(79), rates(10)).missed()).hasSize(1);
    }

    @Test
    void measuresADistantServerByWhatItsLatencyAllows() {
        Series lone = new Series(List.of(new Figures(0, 0, 0, 8_000)));
        ContenderResult outcome = with(outcome(Scenario.DISTANT, rates(95_000), rates(50_000)), Contender.ALONE, lone);

        assertThat(outcome.limit()).isEqualTo(100_000);
        assertThat(outcome.ratio(Metric.SHARE)).isEqualTo(0.95);
        assertThat(outcome.missed()).isEmpty();
    }

    @Test
    void holdsRequestsAgainstANumber() {
        ContenderResult outcome = outcome(Scenario.QUEUE_CONSUME, requests(2.05, 10), requests(2.10, 5));

        assertThat(outcome.ratio(Metric.REQUESTS)).isCloseTo(2.05 / 2.10, within(1e-9));
        assertThat(outcome.missed()).extracting(Goal::metric).containsExactly(Metric.REQUESTS);
        assertThat(outcome(Scenario.QUEUE_CONSUME, requests(2.03, 10), requests(2.03, 5))
                        .missed())
                .isEmpty();
    }

    private static Series requests(double each, double rate) {
        return new Series(List.of(new Figures(rate, 1 / rate, 1 / rate, Double.NaN, each, Double.NaN)));
    }

    @Test
    void isNoOutcomeWithoutAPeer() {
        assertThatThrownBy(() -> new ContenderResult(Scenario.UPSERT, "the SDK", Map.of(Contender.STOWLINE, rates(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("upsert");
    }

    @Test
    void everyTitleFitsBesideItsBar() {
        assertThat(Scenario.values())
                .extracting(Scenario::shortTitle)
                .doesNotHaveDuplicates()
                .allSatisfy(title -> assertThat(title).hasSizeLessThan(56));
    }

    @Test
    void everyScenarioHasAGateAndNoAimBehindIt() {
        for (Scenario scenario : Scenario.values()) {
            assertThat(scenario.goals()).isNotEmpty().allSatisfy(goal -> assertThat(
                            Double.isNaN(goal.aim()) || goal.isMetBy(goal.aim()))
                    .isTrue());
        }
    }
}
