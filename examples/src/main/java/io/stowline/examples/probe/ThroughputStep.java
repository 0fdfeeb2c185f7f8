package io.stowline.examples.probe;

import io.stowline.examples.probe.ProbedLink.Direction;
import java.time.Duration;
import java.util.Locale;

/**
 * The throughput of a number of connections.
 *
 * @param direction the direction of the content
 * @param connections how many connections had a call each all the time
 * @param rate bytes of content in a second
 * @param median the median time of a call
 * @param slowest the 99th percentile
 * @param processors the share of this machine's processors that this process used, 0 to 1
 * @param machine the share that all processes used, 0 to 1; negative if unknown
 * @param collections the share of the time that pauses of garbage collections took
 * @param attempts the attempts of requests
 * @param retries those that were not the first of their request
 * @param throttled those that the service refused for load
 * @param broken those whose connection failed, or that timed out
 * @param failures calls that failed after all retries
 */
record ThroughputStep(
        Direction direction,
        int connections,
        double rate,
        Duration median,
        Duration slowest,
        double processors,
        double machine,
        double collections,
        long attempts,
        long retries,
        long throttled,
        long broken,
        long failures) {

    static final String HEAD =
            "        connections   MiB/s  Mbit/s   p50 ms   p99 ms  requests  retries  throttled  broken  CPU %  all %  GC %";

    private static final double MEBI = 1 << 20;

    /** Returns the step as a line of a table. */
    String line() {
        return String.format(
                Locale.ROOT,
                "%-9s %9d %,7.1f %,7.0f %,8.1f %,8.1f %9d %8d %10d %7d %6.0f %6s %5.0f",
                direction,
                connections,
                mebibytes(),
                megabits(),
                millis(median),
                millis(slowest),
                attempts,
                retries,
                throttled,
                broken,
                100 * processors,
                machine < 0 ? "?" : String.format(Locale.ROOT, "%.0f", 100 * machine),
                100 * collections);
    }

    double mebibytes() {
        return rate / MEBI;
    }

    double megabits() {
        return rate * 8 / 1e6;
    }

    static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }
}
