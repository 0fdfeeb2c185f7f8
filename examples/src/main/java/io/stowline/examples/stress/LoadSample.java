package io.stowline.examples.stress;

/**
 * The result of one step of the load. Rates are entities in a second.
 *
 * @param partitions how many partitions it wrote to
 * @param offered the rate that was wanted
 * @param accepted the rate at which entities were written
 * @param throttled the rate at which the service refused entities
 * @param held the rate that was not sent, as too many requests were in flight already
 * @param errors how many requests failed otherwise
 * @param p50 the median latency as the caller sees it, in ms
 * @param p99 the 99th percentile of it, in ms
 * @param permits the range of requests that the client allowed in flight
 * @param limitedPartitions how many partitions the client limited by themselves at most
 */
record LoadSample(
        int partitions,
        double offered,
        double accepted,
        double throttled,
        double held,
        long errors,
        double p50,
        double p99,
        PermitRange permits,
        int limitedPartitions) {

    private static final double NOTICEABLE = 0.03;

    /**
     * Between how many requests in flight the client's limit was.
     *
     * @param min the lowest limit
     * @param max the highest limit
     */
    record PermitRange(int min, int max) {}

    /** Returns whether the service refused more than a few. */
    boolean isThrottled() {
        return throttled > NOTICEABLE * offered;
    }

    /** Returns whether latency kept a part of the load from being sent. */
    boolean isHeld() {
        return held > NOTICEABLE * offered;
    }

    /** Returns whether requests failed for other reasons. */
    boolean hasFailed() {
        return errors > 0;
    }
}
