package io.stowline.examples.probe;

import io.stowline.examples.probe.ProbedLink.Direction;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The part of the way that limits the throughput of one direction, with the figures that show it.
 *
 * @param cause the part
 * @param sentence the judgement and its figures
 */
record LinkLimit(Cause cause, String sentence) {

    /** The share of requests above which a broken connection or a timeout is no accident. */
    static final double LOSS = 0.01;

    static final double REFUSALS = 0.03;
    static final double COLLECTIONS = 0.1;
    static final double PROCESSORS = 0.85;
    static final double MACHINE = 0.9;

    /** The share of the highest rate that counts as equal to it. */
    private static final double PLATEAU = 0.9;

    /** The share of the gain that as many more connections would bring if none waited for another. */
    private static final double GROWTH = 0.75;

    /** The growth of a call's time up to which calls do not wait for one another. */
    private static final double STRETCH = 1.5;

    /** The parts of the way, in the order in which they are judged. */
    enum Cause {
        FAILURES,
        LINK_ERRORS,
        THROTTLING,
        GARBAGE_COLLECTION,
        CLIENT_CPU,
        LATENCY,
        MACHINE_CPU,
        BANDWIDTH,
        UNCLEAR
    }

    /** Judges the steps of one direction, which are in the order of their connections. */
    static LinkLimit of(List<ThroughputStep> steps) {
        ThroughputStep best = steps.stream()
                .max(Comparator.comparingDouble(ThroughputStep::rate))
                .orElseThrow();
        ThroughputStep enough = steps.stream()
                .filter(step -> step.rate() >= PLATEAU * best.rate())
                .findFirst()
                .orElseThrow();
        List<ThroughputStep> high = steps.stream()
                .filter(step -> step.connections() >= enough.connections())
                .toList();
        long attempts =
                Math.max(1, high.stream().mapToLong(ThroughputStep::attempts).sum());
        long broken = high.stream().mapToLong(ThroughputStep::broken).sum();
        double throttled =
                (double) high.stream().mapToLong(ThroughputStep::throttled).sum() / attempts;
        String rate = String.format(
                Locale.ROOT,
                "%s, %,.1f MiB/s (%,.0f Mbit/s) at %s",
                best.direction() == Direction.UPLOAD ? "Upload" : "Download",
                best.mebibytes(),
                best.megabits(),
                connections(best));
        if (steps.stream().anyMatch(step -> step.rate() == 0)) {
            return new LinkLimit(Cause.FAILURES, rate + ": in one step no call succeeded, so nothing is judged.");
        }
        if (broken > 1 && broken >= LOSS * attempts) {
            return new LinkLimit(
                    Cause.LINK_ERRORS,
                    text(
                            "%s: the quality of the link limits. Of its requests %.1f %% broke or timed out. Look for"
                                    + " loss, proxies and wireless parts on the way.",
                            rate, 100.0 * broken / attempts));
        }
        if (throttled >= REFUSALS) {
            return new LinkLimit(
                    Cause.THROTTLING,
                    text(
                            "%s: the service limits. It refused %.1f %% of the requests for load. Set rate targets, or spread the"
                                    + " load over more accounts.",
                            rate, 100 * throttled));
        }
        if (best.collections() >= COLLECTIONS) {
            return new LinkLimit(
                    Cause.GARBAGE_COLLECTION,
                    text(
                            "%s: garbage collection limits. It took %.0f %% of the time. Give the process more heap or another"
                                    + " collector.",
                            rate, 100 * best.collections()));
        }
        if (best.processors() >= PROCESSORS) {
            return new LinkLimit(
                    Cause.CLIENT_CPU,
                    text(
                            "%s: the processors of this client limit. It kept them busy for %.0f %% of the time. Take a larger"
                                    + " machine or more of them.",
                            rate, 100 * best.processors()));
        }
        if (steps.size() == 1) {
            return new LinkLimit(Cause.UNCLEAR, rate + ": one step shows no limit. Measure with more connections.");
        }
        return ofGrowth(steps, best, enough, rate);
    }

    private static LinkLimit ofGrowth(
            List<ThroughputStep> steps, ThroughputStep best, ThroughputStep enough, String rate) {
        ThroughputStep last = steps.get(steps.size() - 1);
        ThroughputStep before = steps.get(steps.size() - 2);
        double gain = last.rate() / before.rate();
        double possible = (double) last.connections() / before.connections();
        double stretch = ThroughputStep.millis(last.median())
                / ThroughputStep.millis(steps.get(0).median());
        if (gain >= GROWTH * possible && stretch <= STRETCH) {
            return new LinkLimit(
                    Cause.LATENCY,
                    text(
                            "%s: latency limits. From %d to %s the rate rose %.1f times, and a call takes %.1f times as long as"
                                    + " with %d: calls wait for their way and not for one another. Use more connections.",
                            rate,
                            before.connections(),
                            connections(last),
                            gain,
                            stretch,
                            steps.get(0).connections()));
        }
        if (best.machine() >= MACHINE) {
            return new LinkLimit(
                    Cause.MACHINE_CPU,
                    text(
                            "%s: the processors of this machine limit. All processes kept them busy for %.0f %% of the time, this"
                                    + " one for %.0f %%. An emulator on the same machine is such a process.",
                            rate, 100 * best.machine(), 100 * best.processors()));
        }
        if (enough.connections() < last.connections()) {
            return new LinkLimit(
                    Cause.BANDWIDTH,
                    text(
                            "%s: bandwidth limits. With %s it is %.0f %% of that, with %d no more, and a call takes %.1f"
                                    + " times as long. A line or machine with more bandwidth helps, or fewer bytes; more"
                                    + " connections do not.",
                            rate,
                            connections(enough),
                            100 * enough.rate() / best.rate(),
                            last.connections(),
                            ThroughputStep.millis(last.median()) / ThroughputStep.millis(enough.median())));
        }
        return new LinkLimit(
                Cause.UNCLEAR,
                text(
                        "%s: no part limits alone. From %d to %s the rate rose %.1f times, and a call takes %.1f times as long as"
                                + " with %d. Measure with more connections.",
                        rate,
                        before.connections(),
                        connections(last),
                        gain,
                        stretch,
                        steps.get(0).connections()));
    }

    private static String connections(ThroughputStep step) {
        return step.connections() == 1 ? "1 connection" : step.connections() + " connections";
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
