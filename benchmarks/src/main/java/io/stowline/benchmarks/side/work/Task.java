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
     * The work that was done.
     *
     * @param items the number of operations, or entities where many travel in one
     * @param medianMicros the median latency of one, or NaN where it was not looked at
     * @param requests how many requests it took, or -1 where they were not counted
     */
    record Done(long items, double medianMicros, long requests) {

        public static Done of(long items) {
            return of(items, Double.NaN);
        }

        public static Done of(long items, double medianMicros) {
            return new Done(items, medianMicros, -1);
        }
    }
}
