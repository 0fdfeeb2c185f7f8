package io.stowline.caching.internal;

import java.util.concurrent.atomic.AtomicBoolean;

/** A reader's share in a load that has ended. */
final class Ticket {

    private final Landing landing;
    private final boolean first;
    private final AtomicBoolean claimed = new AtomicBoolean();

    Ticket(Landing landing, boolean first) {
        this.landing = landing;
        this.first = first;
    }

    Landing landing() {
        return landing;
    }

    /** Whether the reader is the one whom the load counts for. */
    boolean first() {
        return first;
    }

    /** Says that the reader is there and sees to the body. */
    Ticket claim() {
        claimed.set(true);
        return this;
    }

    boolean claimed() {
        return claimed.get();
    }
}
