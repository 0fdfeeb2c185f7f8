package io.stowline.testkit.stress;

import io.stowline.testkit.stress.StressLimit.Cause;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a stress test, and their meaning.
 *
 * @param partitionTarget the target of a partition, in entities in a second
 * @param accountTarget the target of the account
 * @param steps the steps in their order
 * @param ramps the end of the ramp for each number of partitions
 * @param firstFailure the first failure for another reason than the load; null without one
 */
public record StressReport(
        double partitionTarget,
        double accountTarget,
        List<StressStep> steps,
        SortedMap<Integer, StressLimit> ramps,
        @Nullable Throwable firstFailure) {

    // So much less than its partitions together take only an account whose limit is reached.
    private static final double LESS_THAN_TOGETHER = 0.75;
    private static final double MORE_THAN_BEFORE = 1.3;

    /**
     * Makes a report.
     *
     * @param partitionTarget the target of a partition
     * @param accountTarget the target of the account
     * @param steps the steps in their order, at least one
     * @param ramps the end of the ramp for each number of partitions
     * @param firstFailure the first failure; null without one
     */
    public StressReport {
        steps = List.copyOf(steps);
        ramps = Collections.unmodifiableSortedMap(new TreeMap<>(ramps));
    }

    /**
     * Returns the limit of one partition.
     *
     * @return the end of its ramp
     */
    public StressLimit partitionLimit() {
        return limit(ramps.firstKey());
    }

    /**
     * Returns the limit of some partitions.
     *
     * @param partitions a number of partitions that the test used
     * @return the end of their ramp
     * @throws IllegalArgumentException if the test did not come to that number
     */
    public StressLimit limit(int partitions) {
        StressLimit found = ramps.get(partitions);
        if (found == null) {
            throw new IllegalArgumentException(
                    "the test has no ramp of " + partitions + " partitions, but of " + ramps.keySet());
        }
        boolean spread = found.cause() == Cause.CLIENT
                && ramps.tailMap(partitions + 1).keySet().stream()
                        .anyMatch(more -> best(more).accepted()
                                > MORE_THAN_BEFORE * best(partitions).accepted());
        return spread ? new StressLimit(Cause.LATENCY, found.low(), found.high()) : found;
    }

    /**
     * Returns the step that took the most entities.
     *
     * @param partitions a number of partitions that the test used
     * @return the step
     * @throws IllegalArgumentException if the test did not come to that number
     */
    public StressStep best(int partitions) {
        return steps.stream()
                .filter(step -> step.partitions() == partitions)
                .max(Comparator.comparingDouble(StressStep::accepted))
                .orElseThrow(() -> new IllegalArgumentException(
                        "the test has no step of " + partitions + " partitions, but of " + ramps.keySet()));
    }

    /**
     * Returns the step that showed the account's limit: refused, though its partitions by themselves take far more.
     *
     * @return the step; empty if the limit was not reached
     */
    public Optional<StressStep> accountLimit() {
        StressLimit one = partitionLimit();
        return ramps.entrySet().stream()
                .filter(ramp -> ramp.getKey() > 1
                        && one.cause() == Cause.SERVICE
                        && ramp.getValue().cause() == Cause.SERVICE)
                .map(ramp -> best(ramp.getKey()))
                .filter(best -> best.accepted() < LESS_THAN_TOGETHER * best.partitions() * one.low())
                .findFirst();
    }

    /**
     * Returns whether one partition took its target, within the error of the limit.
     *
     * @return false also if the client or failures ended the ramp before
     */
    public boolean meetsTarget() {
        StressLimit one = partitionLimit();
        double proved = one.cause() == Cause.SERVICE ? one.high() : one.low() / (1 - StressStep.NOTICEABLE);
        return proved >= partitionTarget;
    }

    /**
     * Returns the number of calls that failed for another reason than the load.
     *
     * @return the sum over all steps
     */
    public long failures() {
        return steps.stream().mapToLong(StressStep::failures).sum();
    }

    /**
     * Returns the steps as text.
     *
     * @return a heading, and a line for each step; of the last step, a line for each operation
     */
    public List<String> table() {
        return StressTable.of(steps);
    }

    /**
     * Returns the rates as text.
     *
     * @return a line for each step with a bar of what was read, written, refused and not sent
     */
    public List<String> chart() {
        return StressTable.bars(steps);
    }

    /**
     * Returns the rates and latencies as a picture.
     *
     * @return an SVG document
     */
    public String svg() {
        return StressChart.svg(this);
    }

    /**
     * Returns the meaning of the steps.
     *
     * @return sentences on one partition, the rates of GET and PUT, and the account
     */
    public List<String> verdict() {
        return new StressVerdict(this).lines();
    }
}
