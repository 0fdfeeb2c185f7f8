package io.stowline.benchmarks.side.report;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of all rounds of a workload.
 *
 * @param scenario the workload
 * @param peer what the peer is called
 * @param series by contender; Stowline and the peer are always there
 */
public record ContenderResult(Scenario scenario, String peer, Map<Contender, Series> series) {

    private static final double BATCHES = 8;
    private static final double ENTITIES = 100;

    public ContenderResult(Scenario scenario, String peer, Map<Contender, Series> series) {
        this.scenario = scenario;
        this.peer = peer;
        this.series = Map.copyOf(series);
        of(Contender.STOWLINE);
        of(Contender.PEER);
    }

    Series of(Contender contender) {
        Series found = find(contender);
        if (found == null) {
            throw new IllegalArgumentException(scenario.id() + " was not measured for " + contender.title());
        }
        return found;
    }

    @Nullable
    Series find(Contender contender) {
        return series.get(contender);
    }

    /** Returns whether all contenders that are compared have figures for it. */
    boolean has(Metric metric) {
        return !Double.isNaN(of(Contender.STOWLINE).median(metric))
                && !Double.isNaN(of(Contender.PEER).median(metric));
    }

    /** Returns the ratio of the medians: Stowline's to the peer's, or to the limit. */
    public double ratio(Metric metric) {
        double own = of(Contender.STOWLINE).median(metric);
        return own / (metric == Metric.SHARE ? limit() : of(Contender.PEER).median(metric));
    }

    /** Returns the figure that a goal is compared with: the ratio, but of requests Stowline's number. */
    public double judged(Metric metric) {
        return metric == Metric.REQUESTS ? of(Contender.STOWLINE).median(metric) : ratio(metric);
    }

    /** Returns the ratio of each round. */
    double[] ratios(Metric metric) {
        return ratios(Contender.STOWLINE, metric);
    }

    /** Returns the ratio of each round of a contender to the peer's. */
    double[] ratios(Contender contender, Metric metric) {
        double[] own = of(contender).values(metric);
        double[] peers = of(Contender.PEER).values(metric);
        double[] ratios = new double[Math.min(own.length, peers.length)];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = own[i] / (metric == Metric.SHARE ? limit() : peers[i]);
        }
        return ratios;
    }

    /** Returns the range of the rounds' ratios, as a part of their median. */
    double spread(Metric metric) {
        double[] ratios = ratios(metric);
        DoubleSummaryStatistics all = Arrays.stream(ratios).summaryStatistics();
        return (all.getMax() - all.getMin()) / Series.median(ratios);
    }

    /** Returns the entities per second when each of the transactions in flight takes as long as one that is alone. */
    double limit() {
        return BATCHES * ENTITIES * 1e6 / of(Contender.ALONE).median(Metric.LATENCY);
    }

    /** Returns the goals whose gates are missed. */
    public List<Goal> missed() {
        return scenario.goals().stream()
                .filter(goal -> !goal.isMetBy(judged(goal.metric())))
                .toList();
    }
}
