package io.stowline.caching.internal.engine;

import java.util.concurrent.atomic.AtomicBoolean;

/** A reader's share in a load that has ended. */
public final class LoadShare {

    private final LoadCompletion landing;
    private final boolean first;
    private final AtomicBoolean claimed = new AtomicBoolean();

    LoadShare(LoadCompletion landing, boolean first) {
        this.landing = landing;
        this.first = first;
    }

    LoadCompletion landing() {
        return landing;
    }

    /** Whether the reader is the one whom the load counts for. */
    boolean first() {
        return first;
    }

    /** Says that the reader is there and sees to the body. */
    LoadShare claim() {
        claimed.set(true);
        return this;
    }

    boolean claimed() {
        return claimed.get();
    }
}
