package io.stowline.benchmarks.side.report;

/**
 * A goal of a ratio: the gate that it must reach, and the aim.
 *
 * @param metric what is compared
 * @param gate what must hold: at least or at most, by {@link Metric#moreIsBetter}
 * @param aim where it is going, or NaN for no further
 */
public record Goal(Metric metric, double gate, double aim) {

    boolean isMetBy(double ratio) {
        return metric.moreIsBetter() ? ratio >= gate : ratio <= gate;
    }

    boolean isReachedBy(double ratio) {
        return metric.moreIsBetter() ? ratio >= aim : ratio <= aim;
    }
}
