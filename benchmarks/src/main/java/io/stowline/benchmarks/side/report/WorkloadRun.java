package io.stowline.benchmarks.side.report;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of one measured process for one workload.
 *
 * @param result the rounds that count
 * @param warmUp the rounds before them
 * @param compilerShare the JIT compiler's time in the rounds that count, as a part of their wall time
 * @param wireBytes bytes on the wire per entity, by contender; empty where they were not counted
 * @param jvm the process's Java version, cores, heap and collectors
 */
public record WorkloadRun(
        ContenderResult result, WarmUp warmUp, double compilerShare, Map<Contender, Double> wireBytes, String jvm) {

    public WorkloadRun {
        wireBytes = Map.copyOf(wireBytes);
    }

    /**
     * Returns the run with the most memory that each contender had in use, round by round.
     *
     * @param peaks bytes by contender, as many as there are rounds
     */
    public WorkloadRun withPeaks(Map<Contender, List<Double>> peaks) {
        Map<Contender, Series> series = new EnumMap<>(result.series());
        peaks.forEach(
                (contender, bytes) -> series.computeIfPresent(contender, (same, rounds) -> rounds.withPeaks(bytes)));
        return new WorkloadRun(
                new ContenderResult(result.scenario(), result.peer(), series), warmUp, compilerShare, wireBytes, jvm);
    }

    /** Returns the results alone, in the order of the runs. */
    public static List<ContenderResult> results(List<WorkloadRun> runs) {
        return runs.stream().map(WorkloadRun::result).toList();
    }

    /** Returns the JVM of all runs; each different one is named. */
    public static String jvm(List<WorkloadRun> runs) {
        return runs.stream().map(WorkloadRun::jvm).distinct().collect(Collectors.joining(" or "));
    }
}
