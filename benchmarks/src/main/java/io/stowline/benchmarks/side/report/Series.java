package io.stowline.benchmarks.side.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The figures of all rounds.
 *
 * @param rounds in their order, at least one
 */
public record Series(List<Figures> rounds) {

    public Series(List<Figures> rounds) {
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("a series without rounds has no median");
        }
        this.rounds = List.copyOf(rounds);
    }

    /** Returns the series with a peak for each round. */
    Series withPeaks(List<Double> bytes) {
        return new Series(IntStream.range(0, rounds.size())
                .mapToObj(round -> rounds.get(round).withPeak(bytes.get(round)))
                .toList());
    }

    /** Returns the median of the rounds. */
    public double median(Metric metric) {
        return median(values(metric));
    }

    /** Returns the least of the rounds. */
    public double min(Metric metric) {
        return Arrays.stream(values(metric)).min().orElseThrow();
    }

    /** Returns the most of the rounds. */
    public double max(Metric metric) {
        return Arrays.stream(values(metric)).max().orElseThrow();
    }

    double[] values(Metric metric) {
        return rounds.stream().mapToDouble(metric::of).toArray();
    }

    /** Returns the median; of an even number the mean of the middle two. */
    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
