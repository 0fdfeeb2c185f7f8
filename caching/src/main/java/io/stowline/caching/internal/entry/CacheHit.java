package io.stowline.caching.internal.entry;

import java.util.concurrent.atomic.AtomicBoolean;

/** An answer that the cache has, taken out of it for one reader. */
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

    /** The body; from now on its receiver has to close it. */
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
