package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.ContenderResult;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.report.Series;
import io.stowline.benchmarks.side.report.WarmUp;
import io.stowline.benchmarks.side.report.WorkloadRun;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Made-up outcomes. */
public final class OutcomesOfTests {

    private OutcomesOfTests() {}

    public static Series rates(double... rates) {
        return new Series(Arrays.stream(rates)
                .mapToObj(rate -> new Figures(rate, 1e6 / rate, 1_024 * 1e3 / rate, 1e6 / rate))
                .toList());
    }

    public static ContenderResult outcome(Scenario scenario, Series stowline, Series peer) {
        return new ContenderResult(scenario, "the SDK", Map.of(Contender.STOWLINE, stowline, Contender.PEER, peer));
    }

    public static ContenderResult with(ContenderResult outcome, Contender contender, Series series) {
        Map<Contender, Series> more = new EnumMap<>(outcome.series());
        more.put(contender, series);
        return new ContenderResult(outcome.scenario(), outcome.peer(), more);
    }

    /** A workload whose compiler was quiet after twelve rounds. */
    public static WorkloadRun run(ContenderResult result) {
        return new WorkloadRun(
                result,
                new WarmUp(12, 0.004),
                0.015,
                Map.of(),
                "Java 17 on 1 core, heap 989 MB, Copy, MarkSweepCompact");
    }

    static List<ContenderResult> several() {
        return List.of(
                with(
                        outcome(Scenario.INGEST, rates(400_000, 410_000, 390_000), rates(100_000, 100_000, 100_000)),
                        Contender.BARE,
                        rates(500_000, 500_000, 500_000)),
                outcome(Scenario.UPSERT, rates(10_000), rates(10_000)));
    }
}
