package io.stowline.system.ledger.script;

import java.time.Duration;

/** What network and company a seed has. */
public enum Weather {
    /** About nine faults for ten operations, rivals on the same entities, and callers without patience: what a proof wants. */
    ROUGH(16),
    /** As rough, with writers that coalesce, exclusive creations of blobs, cached reads, and relays that keep what they have read. */
    WIDE(16),
    /** Of a hundred requests one loses its response, one is reset and one is refused with 503; each worker has its own entities. */
    REALISTIC(80);

    private final int steps;

    Weather(int steps) {
        this.steps = steps;
    }

    /** Whether the kinds of operations that came later take part, and requests go through relays. */
    public boolean isWide() {
        return this != ROUGH;
    }

    /** How long clients wait for a response. Where slow ones are no fault, they get time. */
    public Duration attempt() {
        return this == REALISTIC ? Duration.ofSeconds(3) : Duration.ofMillis(300);
    }

    /** How much each worker does. */
    public int steps() {
        return steps;
    }
}
