package io.stowline.batching;

import org.jspecify.annotations.Nullable;

/** Until when an item may be sent, and its place among the items of its writer; guarded by the engine's lock. */
final class Expiry<K, I, R> {

    final Entry<K, I, R> entry;
    final long due;

    @Nullable
    Expiry<K, I, R> prev;

    @Nullable
    Expiry<K, I, R> next;

    private final Expiries<K, I, R> all;
    private boolean listed = true;

    Expiry(Expiries<K, I, R> all, Entry<K, I, R> entry, long due) {
        this.all = all;
        this.entry = entry;
        this.due = due;
    }

    /** What the item fails with when its time is over. */
    ItemTimeoutException failure() {
        return new ItemTimeoutException(all.timeout(), entry.state);
    }

    void end() {
        if (listed) {
            listed = false;
            all.unlink(this);
        }
    }
}
