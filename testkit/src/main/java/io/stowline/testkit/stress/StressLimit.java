package io.stowline.testkit.stress;

/**
 * The end of a ramp: the rate that it found, and what ended it.
 *
 * @param cause what ended the ramp
 * @param low entities in a second that were taken for certain
 * @param high entities in a second that were too many; of a cause other than {@link Cause#SERVICE} the same as {@code low}
 */
public record StressLimit(Cause cause, double low, double high) {

    /** The cause of the end of a ramp. */
    public enum Cause {
        /** The service refused more, or let it time out. */
        SERVICE,
        /** The partitions became slow instead of refusing: more of them took more. */
        LATENCY,
        /** The client was the limit: its calls in flight, or its machine. */
        CLIENT,
        /** Calls failed for other reasons than the load. */
        FAILURES,
        /** The ramp ended at its highest rate without a limit. */
        NOT_REACHED,
        /** The test was stopped, or its time was over. */
        STOPPED
    }

    /**
     * Returns the limit as one number.
     *
     * @return the geometric middle of both bounds
     */
    public double rate() {
        return Math.sqrt(low * high);
    }

    /**
     * Returns by which part of the rate the limit may be larger or smaller.
     *
     * @return the relative error, such as 0.05; 0 of a cause other than {@link Cause#SERVICE}
     */
    public double error() {
        return low == 0 ? 0 : Math.sqrt(high / low) - 1;
    }
}
