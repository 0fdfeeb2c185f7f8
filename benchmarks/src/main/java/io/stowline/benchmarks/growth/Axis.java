package io.stowline.benchmarks.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** An axis of a chart: it grows by factors, or from zero by steps. */
record Axis(double from, double to, boolean isByFactors, List<Double> ticks) {

    private static final int MAX_TICKS = 5;
    /** A label has this part of the axis. */
    private static final double ROOM = 0.11;

    private static final double[] STEPS = {1, 2, 5};

    /** Returns an axis by factors from the first to the last of some values, with ticks at as many of them as have room for a label. */
    static Axis over(List<Double> values) {
        Axis axis = new Axis(values.get(0), values.get(values.size() - 1), true, List.of());
        List<Double> ticks = new ArrayList<>();
        for (double value : values) {
            if (ticks.isEmpty() || axis.share(value) - axis.share(ticks.get(ticks.size() - 1)) > ROOM) {
                ticks.add(value);
            }
        }
        return new Axis(axis.from, axis.to, true, ticks);
    }

    /** Returns an axis from the power of ten below a value to that above another one. */
    static Axis byFactors(double least, double max) {
        double from = Math.pow(10, Math.floor(Math.log10(least) + 1e-9));
        double to = Math.pow(10, Math.ceil(Math.log10(max) - 1e-9));
        double end = Math.max(to, 10 * from);
        int decades = (int) Math.round(Math.log10(end / from));
        List<Double> ticks = IntStream.rangeClosed(0, decades)
                .mapToObj(i -> from * Math.pow(10, i))
                .toList();
        return new Axis(from, end, true, ticks);
    }

    /** Returns an axis from zero to a round value that is no less than this one. */
    static Axis fromZero(double max) {
        double unit = Math.pow(10, Math.floor(Math.log10(max)) - 1);
        double step = DoubleStream.of(1, 10, 100)
                .flatMap(power -> DoubleStream.of(STEPS).map(each -> each * power * unit))
                .filter(each -> max / each <= MAX_TICKS - 1)
                .findFirst()
                .orElse(max);
        int steps = (int) Math.ceil(max / step - 1e-9);
        return new Axis(
                0,
                steps * step,
                false,
                IntStream.rangeClosed(0, steps).mapToObj(i -> i * step).toList());
    }

    /** Returns where a value lies: 0 at the begin, 1 at the end. */
    double share(double value) {
        double share = isByFactors ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
        return Math.max(0, Math.min(1, share));
    }

    /** Returns a number with as many digits as a tick needs: 0.05, 20, 5k, 1M. */
    static String label(double value) {
        if (value >= 1_000_000) {
            return digits(value / 1_000_000) + "M";
        }
        return value >= 1_000 ? digits(value / 1_000) + "k" : digits(value);
    }

    private static String digits(double value) {
        String text = String.format(Locale.ROOT, "%.3f", value);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
}
