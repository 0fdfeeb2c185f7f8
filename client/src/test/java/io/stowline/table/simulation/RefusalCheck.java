package io.stowline.table.simulation;

import java.time.Duration;
import java.util.List;

/** Refused implies full: counted from what the callers know, and not from what the writer counts. */
final class RefusalCheck {

    /** The least share of a partition. */
    private static final int MIN_SHARE = 200;

    /** The longest time of an operation in flight, its wait in a lane included. */
    private static final Duration MAX = Duration.ofMinutes(10);

    /** The longest time of callbacks. */
    private static final Duration CALLBACKS = Duration.ofMillis(50);

    private RefusalCheck() {}

    /**
     * Checks one refusal for want of room.
     *
     * @param trace takes the violations
     * @param bufferItems how many operations the writer may hold
     * @param refused what it refused
     * @param ops all that the writer was given
     * @param large whether an operation may be so large that few fill the buffer
     * @param now the time
     */
    static void of(
            Trace trace,
            int bufferItems,
            SimulatedOperation refused,
            List<SimulatedOperation> ops,
            boolean large,
            long now) {
        long open = ops.stream()
                .filter(op -> op != refused && mayBeHeld(op, now))
                .mapToInt(RefusalCheck::places)
                .sum();
        boolean full = open >= Math.min(MIN_SHARE, bufferItems);
        trace.expect(
                full || large,
                () -> "BATCH-7: " + refused + " was refused for want of room, where at most " + open + " of "
                        + bufferItems + " operations are held");
    }

    /**
     * A cancelled operation in flight has two places: its own, and one for the result that its caller has not received
     * yet.
     */
    private static int places(SimulatedOperation op) {
        return op.submission != null && op.submission.isDone() ? 2 : 1;
    }

    /**
     * True without a result, or with one whose callbacks may still run, or for an abandoned operation that may be in
     * flight.
     */
    private static boolean mayBeHeld(SimulatedOperation op, long now) {
        boolean lately = now - Math.max(op.neverFrom, op.endedAt) < CALLBACKS.toNanos();
        if (op.refused
                || (op.neverFrom >= 0 && !lately)
                || (op.untaken && op.submission != null && op.submission.isDone())) {
            return false;
        }
        if (op.isGivenUp()) {
            return now - op.handedOver < MAX.toNanos();
        }
        return op.results == 0 || lately;
    }
}
