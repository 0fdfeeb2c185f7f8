package io.stowline.caching.internal.engine;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.internal.entry.CachedBody;
import io.stowline.caching.internal.entry.EntryHead;
import org.jspecify.annotations.Nullable;

/**
 * How a load has ended for those who wait for it.
 *
 * @param outcome what it was to the reader who is served first
 * @param head the answer without its body; null if what the load found cannot be given to anybody
 * @param body the body; null likewise. If it is not shared, only the first has it.
 * @param onShelf whether the others find it on the shelf; if they do not and the body is not shared, each of them asks alone
 */
public record LoadCompletion(
        CacheOutcome outcome,
        @Nullable EntryHead head,
        @Nullable CachedBody body,
        boolean onShelf) {

    static LoadCompletion of(CacheOutcome outcome, EntryHead head, CachedBody body) {
        return new LoadCompletion(outcome, head, body, false);
    }

    /** What was found was lost on the way to the shelf. */
    public static LoadCompletion lost(CacheOutcome outcome) {
        return new LoadCompletion(outcome, null, null, false);
    }

    LoadCompletion shelved() {
        return new LoadCompletion(outcome, head, body, true);
    }

    void close() {
        if (body != null) {
            body.close();
        }
    }
}
