package io.stowline.caching.internal.entry;

import java.util.concurrent.atomic.AtomicBoolean;

/** A cached response, taken out of the cache for one reader. */
public final class CacheHit {

    private final EntryHead head;
    private final CachedBody body;
    private final AtomicBoolean passedOn = new AtomicBoolean();

    public CacheHit(EntryHead head, CachedBody body) {
        this.head = head;
        this.body = body;
    }

    public EntryHead head() {
        return head;
    }

    /** Returns the body, which its receiver has to close from then on. */
    public CachedBody passOn() {
        passedOn.set(true);
        return body;
    }

    /** Closes the body unless it was passed on. */
    public void release() {
        if (!passedOn.get()) {
            body.close();
        }
    }
}
