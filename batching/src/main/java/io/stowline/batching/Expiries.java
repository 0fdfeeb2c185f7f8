package io.stowline.batching;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The items of a writer, or the groups, that have the same time for their delivery, which is the order of their coming; guarded by the engine's lock. */
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

    void add(Node<K, I, R> node, long now) {
        Expiry<K, I, R> expiry = new Expiry<>(this, node, now + timeout.toNanos());
        node.expiry = expiry;
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
