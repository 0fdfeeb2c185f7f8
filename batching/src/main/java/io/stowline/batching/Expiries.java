package io.stowline.batching;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The items of a writer that have a time until which they may be sent, which is the order of their coming; guarded by the engine's lock. */
final class Expiries<K, I, R> {

    private final Duration timeout;
    private @Nullable Expiry<K, I, R> first;
    private @Nullable Expiry<K, I, R> last;

    Expiries(Duration timeout) {
        this.timeout = timeout;
    }

    Duration timeout() {
        return timeout;
    }

    /** The one whose time is over first. */
    @Nullable
    Expiry<K, I, R> first() {
        return first;
    }

    void add(Entry<K, I, R> entry, long now) {
        Expiry<K, I, R> expiry = new Expiry<>(this, entry, now + timeout.toNanos());
        entry.expiry = expiry;
        expiry.prev = last;
        if (last == null) {
            first = expiry;
        } else {
            last.next = expiry;
        }
        last = expiry;
    }

    void unlink(Expiry<K, I, R> expiry) {
        if (expiry.prev == null) {
            first = expiry.next;
        } else {
            expiry.prev.next = expiry.next;
        }
        if (expiry.next == null) {
            last = expiry.prev;
        } else {
            expiry.next.prev = expiry.prev;
        }
        expiry.prev = null;
        expiry.next = null;
    }
}
