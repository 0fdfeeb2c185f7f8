package io.stowline.ring.internal.move;

/** A phase of a ring's change. All processes know it from the description in each account. */
public enum RingPhase {
    /** No change is in the accounts; all partitions are in their old homes. */
    STEADY(RingEpoch.OLD, false),
    /** Partitions move one by one; one without a place row is in its old home. */
    MOVING(RingEpoch.OLD, true),
    /** Partitions move one by one; one without a place row is in its new home. */
    SETTLING(RingEpoch.NEW, true),
    /** All partitions are in their new homes, and rows that were left remain in the old ones. */
    MOVED(RingEpoch.NEW, false),
    /** All partitions are in their new homes, and what was left is being removed. */
    FINISHING(RingEpoch.NEW, false),
    /** All partitions are in their old homes again, and what was left in the new ones is being removed. */
    RETURNED(RingEpoch.OLD, false);

    private final RingEpoch home;
    private final boolean fenced;

    RingPhase(RingEpoch home, boolean fenced) {
        this.home = home;
        this.fenced = fenced;
    }

    /** Returns the home of a partition without a place row. */
    public RingEpoch home() {
        return home;
    }

    /** Returns whether partitions move, so that operations need the place row and the fence. */
    public boolean fenced() {
        return fenced;
    }
}
