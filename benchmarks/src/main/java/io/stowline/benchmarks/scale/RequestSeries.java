package io.stowline.benchmarks.scale;

import io.stowline.benchmarks.scale.model.ComparedPolicy;
import io.stowline.benchmarks.scale.model.RunFigures;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The requests and successes of a region over time, as sums of intervals.
 *
 * @param interval the seconds of an interval
 * @param sent the requests in each interval
 * @param done the operations that succeeded in each interval
 */
record RequestSeries(ScaleScenario scenario, ComparedPolicy policy, int interval, List<Long> sent, List<Long> done) {

    private static final int INTERVAL = 2;

    static RequestSeries of(ScaleScenario scenario, ComparedPolicy policy, RunFigures figures) {
        return new RequestSeries(
                scenario, policy, INTERVAL, sums(figures.sentBySecond()), sums(figures.doneBySecond()));
    }

    private static List<Long> sums(long[] seconds) {
        return IntStream.range(0, seconds.length / INTERVAL)
                .mapToObj(i ->
                        Arrays.stream(seconds, i * INTERVAL, (i + 1) * INTERVAL).sum())
                .toList();
    }
}
