package io.stowline.benchmarks.growth;

import io.stowline.benchmarks.side.report.Metric;
import io.stowline.benchmarks.side.report.Series;
import java.util.Arrays;
import java.util.List;

/** A figure of each size, with its unit. */
enum GrowthFigure {
    CPU(Metric.CPU, "CPU µs per %s", 1),
    BYTES(Metric.BYTES, "KB allocated per %s", 1 / 1024.0),
    TIME(Metric.RATE, "µs per %s", 1e6),
    PEAK(Metric.PEAK, "MiB of heap and direct memory at most", 1.0 / (1 << 20));

    private final Metric metric;
    private final String title;
    private final double factor;

    GrowthFigure(Metric metric, String title, double factor) {
        this.metric = metric;
        this.title = title;
        this.factor = factor;
    }

    /** Returns the figures that are measured of a growth. */
    static List<GrowthFigure> of(Growth growth) {
        return Arrays.stream(values())
                .filter(figure -> figure != PEAK || growth.isAboutMemory())
                .filter(figure -> figure != TIME || growth != Growth.IDLE_QUEUES)
                .toList();
    }

    String title(Growth growth) {
        return title.replace("%s", growth.item());
    }

    double median(Series series) {
        return of(series.median(metric));
    }

    double least(Series series) {
        return of(this == TIME ? series.max(metric) : series.min(metric));
    }

    double max(Series series) {
        return of(this == TIME ? series.min(metric) : series.max(metric));
    }

    /** A time is the inverse of a rate. */
    private double of(double value) {
        return this == TIME ? factor / value : factor * value;
    }
}
