package io.stowline.testkit.stress;

import java.util.List;

/**
 * The result of one step of a load. Rates are entities in a second, latencies of successful calls in ms.
 *
 * @param partitions how many partitions it used
 * @param offered the rate that was wanted
 * @param gets the rate of entities that were read
 * @param puts the rate of entities that were written
 * @param throttled the rate that the service refused
 * @param timedOut the rate of calls that timed out
 * @param heldBack the rate that was not sent, as the most calls that the test allows were in flight
 * @param late the rate that was not sent, as the machine was behind
 * @param unfinished the rate by which the calls in flight came to be more
 * @param failures how many calls failed otherwise
 * @param p50 the median latency
 * @param p99 the 99th percentile of it
 * @param operations the rates and latencies of each operation
 */
public record StressStep(
        int partitions,
        double offered,
        double gets,
        double puts,
        double throttled,
        double timedOut,
        double heldBack,
        double late,
        double unfinished,
        long failures,
        double p50,
        double p99,
        List<OperationRate> operations) {

    /** Refusals below this share are noise. */
    static final double NOTICEABLE = 0.03;

    private static final double MAX_UNFINISHED = 0.1;

    /**
     * Makes the result of a step.
     *
     * @param partitions how many partitions it used
     * @param offered the rate that was wanted
     * @param gets the rate of entities that were read
     * @param puts the rate of entities that were written
     * @param throttled the rate that the service refused
     * @param timedOut the rate of calls that timed out
     * @param heldBack the rate that was not sent for the calls in flight
     * @param late the rate that was not sent for the machine
     * @param unfinished the rate by which the calls in flight came to be more
     * @param failures how many calls failed otherwise
     * @param p50 the median latency
     * @param p99 the 99th percentile of it
     * @param operations the rates and latencies of each operation
     */
    public StressStep {
        operations = List.copyOf(operations);
    }

    /**
     * The rates and latencies of one operation.
     *
     * @param name its name
     * @param calls its successful calls in a second
     * @param entities their entities in a second
     * @param p50 the median latency in ms
     * @param p95 the 95th percentile of it
     * @param p99 the 99th percentile of it
     */
    public record OperationRate(String name, double calls, double entities, double p50, double p95, double p99) {}

    /**
     * Returns the rate that the service took.
     *
     * @return entities in a second, read and written
     */
    public double accepted() {
        return gets + puts;
    }

    /**
     * Returns whether the service refused the load, or let it time out.
     *
     * @return true above 3 % of what was offered
     */
    public boolean isThrottled() {
        return throttled + timedOut > NOTICEABLE * offered;
    }

    /**
     * Returns whether a part of the load was not sent, or did not end.
     *
     * @return true if above 3 % of what was offered were not sent, or calls in flight came to be more by 10 % of it
     */
    public boolean isHeldBack() {
        return heldBack + late > NOTICEABLE * offered || unfinished > MAX_UNFINISHED * offered;
    }

    /** Returns whether the machine was behind, without which there may have been no refusals. */
    boolean isLate() {
        return late > NOTICEABLE * offered;
    }

    /** Returns the part of the load that did not succeed. */
    double missed() {
        return (throttled + timedOut + heldBack + late + unfinished) / offered;
    }

    /**
     * Returns whether calls failed for other reasons than the load.
     *
     * @return true from one call on
     */
    public boolean hasFailed() {
        return failures > 0;
    }
}
