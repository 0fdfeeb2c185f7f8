package io.stowline.caching.internal;

import java.util.concurrent.atomic.AtomicBoolean;

/** An answer that the cache has, taken out of it for one reader. */
final class Held {

    private final Head head;
    private final Body body;
    private final AtomicBoolean passedOn = new AtomicBoolean();

    Held(Head head, Body body) {
        this.head = head;
        this.body = body;
    }

    Head head() {
        return head;
    }

    /** The body; from now on whoever asked for it has to close it. */
    Body passOn() {
        passedOn.set(true);
        return body;
    }

    boolean shared() {
        return body.shared();
    }

    /** Closes the body unless it was passed on. */
    void release() {
        if (!passedOn.get()) {
            body.close();
        }
    }
}
