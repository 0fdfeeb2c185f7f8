package io.stowline.table.simulation;

/**
 * The check that an entity is in one request at a time (B6), and that a request whose response was lost is not
 * overtaken: its entities wait for its horizon (B4).
 */
record ReservationCheck(Trace trace, long now) {

    void of(SimulatedAttempt earlier, SimulatedAttempt later, StoreChange change) {
        if (earlier.requestId.equals(later.requestId)) {
            trace.expect(!earlier.open, () -> "two attempts at once of " + trace.name(later.requestId));
            return;
        }
        trace.expect(
                !earlier.open,
                () -> "BATCH-6: " + change + " goes out while " + trace.name(earlier.requestId)
                        + " with its entity is on its way");
        boolean same = earlier.changes.contains(change);
        trace.expect(
                same || once(earlier) || !earlier.lost || earlier.horizon <= now,
                () -> "BATCH-4: " + change + " goes out before the horizon " + Trace.time(earlier.horizon) + " of "
                        + trace.name(earlier.requestId));
    }

    /** A version is replaced once only: a late attempt of a bound operation that has succeeded is refused. */
    private static boolean once(SimulatedAttempt attempt) {
        return attempt.changes.stream().anyMatch(change -> change.ifMatch() != null && !"*".equals(change.ifMatch()));
    }
}
