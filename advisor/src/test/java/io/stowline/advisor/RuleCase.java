package io.stowline.advisor;

import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * A workload whose figure is at, above or below the threshold of a rule.
 *
 * @param practice the practice that it concerns
 * @param threshold the threshold
 * @param edge the default of the threshold, as the documentation has it
 * @param isMin whether values below the edge break the practice
 * @param severity the severity that a broken practice has
 * @param window the window of the advisor
 * @param beyond how far beyond the edge the practice is surely broken, as a factor
 * @param workload the traffic whose figure has a value
 */
record RuleCase(
        Practice practice,
        Threshold threshold,
        double edge,
        boolean isMin,
        Severity severity,
        Duration window,
        double beyond,
        BiConsumer<FakeTraffic, Double> workload) {

    static RuleCase over(
            Practice practice,
            Threshold threshold,
            double edge,
            Severity severity,
            BiConsumer<FakeTraffic, Double> workload) {
        return new RuleCase(practice, threshold, edge, false, severity, Duration.ofMinutes(1), 1.1, workload);
    }

    static RuleCase under(
            Practice practice,
            Threshold threshold,
            double edge,
            Severity severity,
            BiConsumer<FakeTraffic, Double> workload) {
        return new RuleCase(practice, threshold, edge, true, severity, Duration.ofMinutes(1), 1.1, workload);
    }

    RuleCase in(Duration time) {
        return new RuleCase(practice, threshold, edge, isMin, severity, time, beyond, workload);
    }

    RuleCase beyond(double factor) {
        return new RuleCase(practice, threshold, edge, isMin, severity, window, factor, workload);
    }

    /** Runs the traffic with a figure that breaks the practice by a factor; one below 1 obeys it. */
    void run(FakeTraffic traffic, double factor) {
        traffic.align();
        workload.accept(traffic, isMin ? edge / factor : edge * factor);
    }

    @Override
    public String toString() {
        return practice + " " + threshold;
    }
}
