package io.stowline.table.simulation;

import java.util.List;

/** A request of ours that was written, once. */
final class SimulatedAttempt {

    final String requestId;
    final List<StoreChange> changes;

    /** Until when it may be carried out as its client knows it. */
    final long horizon;

    /** Whether its client may still get an answer. */
    boolean open = true;

    /** Whether its client may not know what became of it. */
    boolean doubtful;

    /** Whether its client cannot know what became of it. */
    boolean lost;

    SimulatedAttempt(String requestId, List<StoreChange> changes, long horizon) {
        this.requestId = requestId;
        this.changes = changes;
        this.horizon = horizon;
    }
}
