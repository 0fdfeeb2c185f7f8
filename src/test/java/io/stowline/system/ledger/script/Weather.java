package io.stowline.system.ledger.script;

import java.time.Duration;

/** The faults and the competition of a seed. */
public enum Weather {
    /** About nine faults for ten operations, rivals on the same entities, and callers without patience: what a proof wants. */
    ROUGH(16),
    /**
     * Rough, too, with writers that coalesce, exclusive creations of blobs, cached reads, and relays that keep the
     * bytes they have read.
     */
    WIDE(16),
    /**
     * Realistic: of a hundred requests one loses its response, one is reset and one is refused with 503; each worker
     * has separate entities.
     */
    REALISTIC(80);

    private final int steps;

    Weather(int steps) {
        this.steps = steps;
    }

    /** Returns whether all kinds of operations take part, and requests go through relays. */
    public boolean isWide() {
        return this != ROUGH;
    }

    /** Returns the time for which clients wait for a response. */
    public Duration attempt() {
        return this == REALISTIC ? Duration.ofSeconds(3) : Duration.ofMillis(300);
    }

    /** Returns the number of each worker's steps. */
    public int steps() {
        return steps;
    }
}
