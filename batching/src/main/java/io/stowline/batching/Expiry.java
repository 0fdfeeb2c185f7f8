package io.stowline.batching;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Until when an item or a group must have its end, and its place among others of the same time; guarded by the engine's lock. */
final class Expiry<K, I, R> {

    final Node<K, I, R> node;
    final long due;
    final Duration timeout;

    @Nullable
    Expiry<K, I, R> prev;

    @Nullable
    Expiry<K, I, R> next;

    /** What the last attempt ended with. */
    @Nullable
    Throwable last;

    private final Expiries<K, I, R> all;
    private boolean listed = true;

    Expiry(Expiries<K, I, R> all, Node<K, I, R> node, long due) {
        this.all = all;
        this.node = node;
        this.due = due;
        this.timeout = all.timeout();
    }

    /** What the item fails with when its time is over. */
    DeliveryTimeoutException failure() {
        return new DeliveryTimeoutException(timeout, node.state, last);
    }

    void end() {
        if (listed) {
            listed = false;
            all.unlink(this);
        }
    }
}
