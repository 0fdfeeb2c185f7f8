package io.stowline.testkit.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The meaning of a report, in sentences. */
record StressVerdict(StressReport report) {

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(partition());
        StressStep best = report.best(report.ramps().firstKey());
        lines.add(text(
                "At its best it took %,.0f entities/s by GET and %,.0f/s by PUT, with a median of %,.1f ms and a 99th"
                        + " percentile of %,.1f ms.",
                best.gets(), best.puts(), best.p50(), best.p99()));
        int max = report.ramps().lastKey();
        if (max > 1) {
            lines.add(account(max));
        }
        return List.copyOf(lines);
    }

    private String partition() {
        StressLimit limit = report.partitionLimit();
        double rate = limit.rate();
        double target = report.partitionTarget();
        return switch (limit.cause()) {
            case SERVICE ->
                text(
                        "One partition takes about %,.0f entities/s, by %.0f %% more or less; above that the service"
                                + " refuses or times out. Its target of %,.0f/s is %s.",
                        rate, Math.ceil(100 * limit.error()), target, report.meetsTarget() ? "met" : "not met");
            case NOT_REACHED ->
                text(
                        "One partition took %,.0f entities/s without throttling. Its limit was not reached by the"
                                + " highest rate of the test. Its target is %,.0f/s.",
                        rate, target);
            case LATENCY ->
                text(
                        "One partition took %,.0f entities/s and became slow instead of refusing: more partitions took"
                                + " more. Its target is %,.0f/s.",
                        rate, target);
            case CLIENT ->
                text(
                        "The client was the limit at %,.0f entities/s, not the service, which refused nothing: %s. The"
                                + " target of a partition is %,.0f/s.",
                        rate, client(), target);
            case FAILURES ->
                text(
                        "The ramp ended at %,.0f entities/s, since %,d calls failed for other reasons than the load%s.",
                        rate, report.failures(), failure());
            case STOPPED -> text("The test was stopped; one partition took %,.0f entities/s until then.", rate);
        };
    }

    private String client() {
        StressStep last = report.steps().stream()
                .filter(step -> step.partitions() == report.ramps().firstKey() && step.isHeldBack())
                .reduce((one, other) -> other)
                .orElseThrow();
        return last.late() > last.heldBack()
                ? "its machine was behind with the calls that were due"
                : text(
                        "calls waited in flight, with a median of %,.1f ms, so that more of them, or a faster client,"
                                + " would carry more",
                        last.p50());
    }

    /** The name only: a message of another client may contain an address with a signature. */
    private String failure() {
        Throwable first = report.firstFailure();
        return first == null ? "" : ", the first with " + first.getClass().getSimpleName();
    }

    private String account(int max) {
        double one = report.partitionLimit().rate();
        return report.accountLimit()
                .map(step -> text(
                        "The account's limit showed with %d partitions: together they took %,.0f entities/s of %,.0f"
                                + " that they take by themselves. Its target is %,.0f/s.",
                        step.partitions(), step.accepted(), step.partitions() * one, report.accountTarget()))
                .orElseGet(() -> text(
                        "The account's limit was not reached: %d partitions took %,.0f entities/s. Its target is"
                                + " %,.0f/s.",
                        max, report.best(max).accepted(), report.accountTarget()));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
