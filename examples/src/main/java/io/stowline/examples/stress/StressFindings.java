package io.stowline.examples.stress;

import io.stowline.transport.ScalabilityTargets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The limits of the service, and the conduct of the client, by the steps.
 *
 * @param targets the targets of the account
 * @param samples the steps, in their order
 * @param paced the step with the client's rate targets, if a limit was found
 */
record StressFindings(
        ScalabilityTargets targets,
        List<LoadSample> samples,
        @Nullable LoadSample paced) {

    /** The share of a partition's limit that the client is given as its rate target. */
    static final double PACE = 0.8;

    // So much less than its partitions together take only an account whose limit is reached.
    private static final double LESS_THAN_TOGETHER = 0.75;

    StressFindings with(LoadSample limited) {
        return new StressFindings(targets, samples, limited);
    }

    /** Returns the documented targets with other rates for tables. */
    static ScalabilityTargets targets(double partition, double account) {
        return ScalabilityTargets.everywhere().toBuilder()
                .accountEntities(account)
                .partitionEntities(partition)
                .build();
    }

    /** Returns the step of so many partitions that wrote the most. */
    static LoadSample best(List<LoadSample> samples, int partitions) {
        return samples.stream()
                .filter(sample -> sample.partitions() == partitions)
                .max(Comparator.comparingDouble(LoadSample::accepted))
                .orElseThrow();
    }

    private List<Integer> partitions() {
        return samples.stream().map(LoadSample::partitions).distinct().toList();
    }

    private boolean isThrottled(int partitions) {
        return samples.stream().anyMatch(sample -> sample.partitions() == partitions && sample.isThrottled());
    }

    /** Returns whether one partition was throttled. */
    boolean isLimited() {
        return isThrottled(1);
    }

    /** Returns the most entities a second that one partition took: its limit if {@link #isLimited}. */
    double partitionLimit() {
        return best(samples, 1).accepted();
    }

    /**
     * Returns the step that showed the account's limit: throttled, though its partitions by themselves take far more.
     */
    Optional<LoadSample> accountLimit() {
        return partitions().stream()
                .filter(number -> number > 1 && isLimited() && isThrottled(number))
                .map(number -> best(samples, number))
                .filter(best -> best.accepted() < LESS_THAN_TOGETHER * best.partitions() * partitionLimit())
                .findFirst();
    }

    /** Returns the number of requests that failed for another reason than throttling. */
    long errors() {
        return samples.stream().mapToLong(LoadSample::errors).sum();
    }

    /** Returns a line for each step, below a heading. */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "partitions  offered/s  written/s  throttled/s   held/s  errors   p50 ms   p99 ms  in flight at most");
        samples.forEach(sample -> lines.add(line(sample)));
        if (paced != null) {
            lines.add("with the client's rate targets:");
            lines.add(line(paced));
        }
        return lines;
    }

    private static String line(LoadSample sample) {
        return String.format(
                Locale.ROOT,
                "%10d  %,8.0f  %,9.0f  %,11.0f  %,7.0f  %,6d  %,7.1f  %,7.1f  %8d to %d",
                sample.partitions(),
                sample.offered(),
                sample.accepted(),
                sample.throttled(),
                sample.held(),
                sample.errors(),
                sample.p50(),
                sample.p99(),
                sample.permits().min(),
                sample.permits().max());
    }

    /** Returns the meaning of the findings, in sentences. */
    List<String> verdict() {
        List<String> lines = new ArrayList<>();
        lines.add(partitionVerdict());
        lines.add(accountVerdict());
        lines.add(clientVerdict());
        if (paced != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "With rate targets of %,.0f/s for a partition the client wrote %,.0f of %,.0f entities/s, and the"
                            + " service refused %,.1f/s.",
                    PACE * partitionLimit(),
                    paced.accepted(),
                    paced.offered(),
                    paced.throttled()));
        }
        return lines;
    }

    private String partitionVerdict() {
        return isLimited()
                ? String.format(
                        Locale.ROOT,
                        "One partition takes about %,.0f entities/s; above that the service answers 503. Its target is"
                                + " %,.0f/s.",
                        partitionLimit(),
                        targets.partitionEntities())
                : String.format(
                        Locale.ROOT,
                        "One partition took %,.0f entities/s without throttling. Its limit was not reached: %s.",
                        partitionLimit(),
                        samples.stream().anyMatch(sample -> sample.partitions() == 1 && sample.isHeld())
                                ? "latency kept the load from rising"
                                : "the load ended at 1.5 times the target");
    }

    private String accountVerdict() {
        int max = partitions().get(partitions().size() - 1);
        LoadSample best = best(samples, max);
        return accountLimit()
                .map(limit -> String.format(
                        Locale.ROOT,
                        "The account's limit showed with %d partitions: together they took %,.0f entities/s of %,.0f"
                                + " that they take by themselves. Its target is %,.0f/s.",
                        limit.partitions(),
                        limit.accepted(),
                        limit.partitions() * partitionLimit(),
                        targets.accountEntities()))
                .orElse(String.format(
                        Locale.ROOT,
                        "The account's limit was not reached: %d partitions took %,.0f entities/s. Its target is"
                                + " %,.0f/s.",
                        max,
                        best.accepted(),
                        targets.accountEntities()));
    }

    private String clientVerdict() {
        int min = samples.stream()
                .mapToInt(sample -> sample.permits().min())
                .min()
                .orElse(0);
        int max = samples.stream()
                .mapToInt(sample -> sample.permits().max())
                .max()
                .orElse(0);
        int limited =
                samples.stream().mapToInt(LoadSample::limitedPartitions).max().orElse(0);
        return String.format(
                Locale.ROOT,
                "The client's adaptive parallelism allowed %d to %d requests in flight, and limited up to %d throttled"
                        + " partitions by themselves.",
                min,
                max,
                limited);
    }
}
