package io.stowline.benchmarks.side.work;

/** Work that can be done for a while. */
@FunctionalInterface
public interface Task {

    /**
     * Works until the time is over and what was begun is done.
     *
     * @param nanos how long to begin new work
     * @return what was done
     * @throws Exception if anything failed: a measurement of failures is worth nothing
     */
    Done run(long nanos) throws Exception;

    /**
     * What was done.
     *
     * @param items the number of operations, or entities where many travel in one
     * @param medianMicros the median latency of one, or NaN where it was not looked at
     */
    record Done(long items, double medianMicros) {

        public static Done of(long items) {
            return new Done(items, Double.NaN);
        }
    }
}
