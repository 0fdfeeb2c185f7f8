package io.stowline.advisor.internal.evidence;

/**
 * The writes of one entity of a partition that came within a second of one another, so that a transaction could have carried several.
 *
 * @param partition the name of the partition in reports
 * @param container the number of its table
 * @param writes how many writes
 * @param micros the microseconds that they took
 * @param inTransactions the entities of the partition that were written in transactions beside them
 */
public record SharedWrites(String partition, int container, long writes, long micros, long inTransactions) {

    private static final double MICROS_PER_MILLI = 1_000;
    private static final double MICROS_PER_SECOND = 1_000_000;

    /** Returns the milliseconds of one of them. */
    public double millisEach() {
        return micros / MICROS_PER_MILLI / Math.max(1, writes);
    }

    /** Returns their time in a time, in percent: 100 is all of one thread. */
    public double ofThread(double seconds) {
        return 100 * micros / MICROS_PER_SECOND / seconds;
    }

    /** Returns their share in the written entities of the partition, in percent. */
    public double share() {
        return writes == 0 ? 0 : 100.0 * writes / (writes + inTransactions);
    }
}
