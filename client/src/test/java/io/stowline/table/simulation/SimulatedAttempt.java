package io.stowline.table.simulation;

import java.util.List;

/** A request of ours that was written, once. */
final class SimulatedAttempt {

    final String requestId;
    final List<StoreChange> changes;

    /** The time until which it may be carried out as its client knows it. */
    final long horizon;

    /** True if its client may still get a response. */
    boolean open = true;

    /** True if its client may not know its outcome. */
    boolean doubtful;

    /** True if its client cannot know its outcome. */
    boolean lost;

    SimulatedAttempt(String requestId, List<StoreChange> changes, long horizon) {
        this.requestId = requestId;
        this.changes = changes;
        this.horizon = horizon;
    }
}
