package io.stowline.benchmarks.side.report;

import static io.stowline.benchmarks.side.OutcomesOfTests.outcome;
import static io.stowline.benchmarks.side.OutcomesOfTests.rates;
import static io.stowline.benchmarks.side.OutcomesOfTests.run;
import static io.stowline.benchmarks.side.OutcomesOfTests.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundsFileTest {

    @Test
    void readsWhatItWrote() {
        Series counted = new Series(List.of(
                new Figures(1_600.1, 90.25, 1_024, Double.NaN, 2.0325, 5e7),
                new Figures(1 / 3.0, 1e-9, 7e12, Double.NaN)));
        ContenderResult distant =
                with(outcome(Scenario.DISTANT, rates(3, 1, 2), rates(5, 6)), Contender.ALONE, rates(7));
        List<WorkloadRun> runs = List.of(
                run(outcome(Scenario.QUEUE_CONSUME, counted, rates(3))),
                run(with(distant, Contender.BARE, rates(8, 9))),
                new WorkloadRun(
                        outcome(Scenario.SCAN, rates(1), rates(2)),
                        new WarmUp(32, 0.041),
                        0.03,
                        Map.of(Contender.STOWLINE, 1_188.5, Contender.PEER, 1_524.0),
                        "Java 21 on 2 cores"));

        assertThat(RoundsFile.read(RoundsFile.of(runs))).isEqualTo(runs);
    }

    @Test
    void keepsThePeersName() {
        WorkloadRun idle = run(new ContenderResult(
                Scenario.IDLE, "a direct upsert", Map.of(Contender.STOWLINE, rates(1), Contender.PEER, rates(2))));

        assertThat(RoundsFile.read(RoundsFile.of(List.of(idle)))).containsExactly(idle);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Started recording 1.",
                "{\"delete\": {}}",
                "{\"upsert\": {\"jvm\": \"Java 17\", \"compilerShare\": 0, \"warmUp\": {\"rounds\": 1, \"compilerShare\": 0}}}",
                "{\"upsert\": {\"Stowline\": [], \"the SDK\": []}}",
                "{\"upsert\": {\"Stowline\": [{\"perSecond\": 1}], \"the SDK\": []}}"
            })
    void readsNothingElse(String text) {
        assertThatThrownBy(() -> RoundsFile.read(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
