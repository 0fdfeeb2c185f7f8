package io.stowline.caching.internal;

import io.stowline.caching.CacheOutcome;
import org.jspecify.annotations.Nullable;

/**
 * How a load has ended for those who wait for it.
 *
 * @param outcome what it was to the reader who is served first
 * @param head the answer without its body; null if what the load found cannot be given to anybody
 * @param body the body; null likewise. If it is not shared, only the first has it.
 * @param onShelf whether the others find it on the shelf; if they do not and the body is not shared, each of them asks alone
 */
record Landing(
        CacheOutcome outcome, @Nullable Head head, @Nullable Body body, boolean onShelf) {

    static Landing of(CacheOutcome outcome, Head head, Body body) {
        return new Landing(outcome, head, body, false);
    }

    /** What was found was lost on the way to the shelf. */
    static Landing lost(CacheOutcome outcome) {
        return new Landing(outcome, null, null, false);
    }

    Landing shelved() {
        return new Landing(outcome, head, body, true);
    }

    void close() {
        if (body != null) {
            body.close();
        }
    }
}
