package io.stowline.examples.probe;

import io.stowline.examples.probe.ProbedLink.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a measurement.
 *
 * @param connects the times of TCP connections, or null where none could be opened
 * @param heads the times of calls without content
 * @param writes the times of writes of a byte
 * @param clock the difference of the clocks
 * @param bytes the content of a call of the steps
 * @param steps the throughput, by direction and connections
 */
record ProbeFindings(
        @Nullable RoundTrips connects,
        RoundTrips heads,
        RoundTrips writes,
        ClockOffset clock,
        int bytes,
        List<ThroughputStep> steps) {

    private static final double SAME_REGION_MILLIS = 5;
    private static final double FAR_MILLIS = 40;

    /** The time of the service for a small call, above which it is slow. */
    private static final double SERVICE_MILLIS = 20;

    /** Returns the measurements. */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add("                    p50 ms   p99 ms");
        if (connects != null) {
            lines.add(line("TCP connection", connects));
        }
        lines.add(line("HEAD of a blob", heads));
        lines.add(line("PUT of a byte", writes));
        lines.add("");
        lines.add(String.format(Locale.ROOT, "Calls of %,d KiB", bytes >> 10));
        lines.add(ThroughputStep.HEAD);
        steps.forEach(step -> lines.add(step.line()));
        return lines;
    }

    private static String line(String name, RoundTrips times) {
        return String.format(
                Locale.ROOT,
                "%-17s %,8.1f %,8.1f",
                name,
                ThroughputStep.millis(times.median()),
                ThroughputStep.millis(times.percentile(99)));
    }

    /** Returns what limits each direction. */
    List<LinkLimit> limits() {
        List<LinkLimit> limits = new ArrayList<>();
        for (Direction direction : Direction.values()) {
            limits.add(LinkLimit.of(
                    steps.stream().filter(step -> step.direction() == direction).toList()));
        }
        return limits;
    }

    /** Returns the meaning of the findings, in sentences. */
    List<String> verdict() {
        List<String> lines = new ArrayList<>();
        lines.add(place());
        double head = Math.max(1e-3, ThroughputStep.millis(heads.median()));
        lines.add(String.format(
                Locale.ROOT,
                "Small calls: one thread makes up to %,.0f calls/s, as each waits for %,.1f ms; for 1,000 calls/s %,.0f are in"
                        + " flight.",
                1_000 / head,
                head,
                Math.ceil(head)));
        limits().forEach(limit -> lines.add(limit.sentence()));
        lines.add(clock.sentence());
        lines.add(
                "What this cannot show: it measures one moment, this machine and blobs. Loss that TCP repairs lowers the"
                        + " rates and breaks nothing. A rate that stands still may be a limit of the line, of the machine's size, of a"
                        + " proxy or of the service: measure from a machine in the account's region to tell them apart.");
        return lines;
    }

    private String place() {
        if (connects == null) {
            return "Place: no direct TCP connection could be opened, as behind a proxy; the time of a HEAD includes the"
                    + " service.";
        }
        double trip = ThroughputStep.millis(connects.median());
        double rest = Math.max(0, ThroughputStep.millis(heads.median()) - trip);
        String place = trip < SAME_REGION_MILLIS
                ? "this machine is in or near the account's region"
                : trip < FAR_MILLIS
                        ? "the account is not in this machine's region, or the line adds its time"
                        : "the account is far from this machine";
        return String.format(
                Locale.ROOT,
                "Place: %s. A round trip takes %,.1f ms, and a HEAD %,.1f ms more for the service and this client.%s",
                place,
                trip,
                rest,
                rest > SERVICE_MILLIS && rest > trip
                        ? " That is the larger part: a nearer account would not help."
                        : "");
    }
}
