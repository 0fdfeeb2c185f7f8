package io.stowline.batching.internal.engine;

import io.stowline.batching.DeliveryTimeoutException;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.callback.IntrusiveList;
import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fails the items and groups that are not delivered in time, as long as they are not in flight; under the engine's lock. */
final class DeliveryDeadlines<K, I, R> {

    private final EngineLock<K, I, R> engine;

    /** Of the writers with items that have a deadline, and of groups. */
    private final List<ItemExpiries<K, I, R>> open = new ArrayList<>();

    /** Of the groups, by their time. */
    private final Map<Duration, ItemExpiries<K, I, R>> groups = new HashMap<>();

    DeliveryDeadlines(EngineLock<K, I, R> engine) {
        this.engine = engine;
    }

    /** Has the time of an accepted item begin. */
    void begin(BufferedItem<K, I, R> entry) {
        ItemExpiries<K, I, R> all = entry.batcher().expiries();
        if (all != null) {
            begin(entry, all);
        }
    }

    /** Has the time of an accepted group begin. */
    void begin(ItemGroup<K, I, R> group, @Nullable Duration timeout) {
        if (timeout != null) {
            begin(group, groups.computeIfAbsent(timeout, ItemExpiries::new));
        }
    }

    private void begin(QueueNode<K, I, R> node, ItemExpiries<K, I, R> all) {
        if (all.first() == null && !open.contains(all)) {
            open.add(all);
        }
        all.add(node, engine.now());
    }

    long now() {
        return engine.now();
    }

    /** When the next time is over. */
    long due() {
        long due = Lane.NEVER;
        for (int i = open.size() - 1; i >= 0; i--) {
            ItemExpiries<K, I, R> all = open.get(i);
            ItemExpiry<K, I, R> first = all.first();
            if (first == null) {
                open.remove(i);
                groups.remove(all.timeout(), all);
            } else {
                due = Math.min(due, first.due);
            }
        }
        return due;
    }

    void timeOver(long now) {
        for (ItemExpiries<K, I, R> all : open) {
            for (ItemExpiry<K, I, R> first = all.first(); first != null && first.due <= now; first = all.first()) {
                first.end();
                if (first.node.state != QueueNode.State.IN_FLIGHT && !isInDoubt(first)) {
                    fail(first, first.failure());
                }
            }
        }
    }

    /** What may have been applied is sent once more, so that its sender can say what became of it. */
    private boolean isInDoubt(ItemExpiry<K, I, R> expiry) {
        return expiry.node instanceof BufferedItem<K, I, R> entry && entry.inDoubt;
    }

    /** Fails an item whose time is over. */
    void review(BufferedItem<K, I, R> entry) {
        ItemExpiry<K, I, R> expiry = entry.expiry;
        if (expiry != null && expiry.due <= now() && !entry.inDoubt) {
            fail(expiry, expiry.failure());
        }
    }

    /** Fails an item whose next attempt does not fit in its time (RETRY-5: the pause is not cut). */
    void review(BufferedItem<K, I, R> entry, BatchReply.Late<R> late) {
        ItemExpiry<K, I, R> expiry = entry.expiry;
        long now = now();
        long latest = now + late.pause().toNanos() + late.least().toNanos();
        if (expiry != null && now < expiry.due && expiry.due <= latest && !entry.inDoubt) {
            fail(expiry, expiry.failure(now, late));
        } else {
            review(entry);
        }
    }

    /** Notes what an attempt on an item ended with. */
    void tried(BufferedItem<K, I, R> entry, Throwable end) {
        if (entry.expiry != null) {
            entry.expiry.last = end;
        }
    }

    private void fail(ItemExpiry<K, I, R> expiry, DeliveryTimeoutException failure) {
        if (expiry.node instanceof BufferedItem<K, I, R> entry) {
            engine.lifecycle().failWithDependents(entry, failure);
        } else if (expiry.node instanceof ItemGroup<K, I, R> group) {
            engine.lifecycle().fail(group, failure);
        }
    }

    /** The items of a writer, or the groups, that have the same time for their delivery, which is the order of their coming; guarded by the engine's lock. */
    static final class ItemExpiries<K, I, R> {

        private final Duration timeout;
        private final IntrusiveList<ItemExpiry<K, I, R>> inOrder = new IntrusiveList<>();

        ItemExpiries(Duration timeout) {
            this.timeout = timeout;
        }

        Duration timeout() {
            return timeout;
        }

        /** The one whose time is over first. */
        @Nullable
        ItemExpiry<K, I, R> first() {
            return inOrder.first();
        }

        void add(QueueNode<K, I, R> node, long now) {
            ItemExpiry<K, I, R> expiry = new ItemExpiry<>(this, node, now + timeout.toNanos());
            node.expiry = expiry;
            inOrder.add(expiry);
        }
    }

    /** Until when an item or a group must have its end, and its place among others of the same time; guarded by the engine's lock. */
    static final class ItemExpiry<K, I, R> extends IntrusiveList.Node<ItemExpiry<K, I, R>> {

        final QueueNode<K, I, R> node;
        final long due;
        final Duration timeout;

        /** What the last attempt ended with. */
        @Nullable
        Throwable last;

        private final ItemExpiries<K, I, R> all;
        private boolean listed = true;

        ItemExpiry(ItemExpiries<K, I, R> all, QueueNode<K, I, R> node, long due) {
            this.all = all;
            this.node = node;
            this.due = due;
            this.timeout = all.timeout();
        }

        /** What the item fails with when its time is over. */
        DeliveryTimeoutException failure() {
            return new DeliveryTimeoutException(
                    "not delivered within " + timeout + " of its acceptance: " + where(), timeout, last);
        }

        private String where() {
            return switch (node.state) {
                case IN_FLIGHT, CHUNKED -> "what was sent had no effect on it, and it waited to be sent again";
                default -> "it was queued in its lane";
            };
        }

        /** What the item fails with when its next attempt does not fit in its time. */
        DeliveryTimeoutException failure(long now, BatchReply.Late<?> late) {
            Duration left = Duration.ofNanos(due - now);
            return new DeliveryTimeoutException(
                    "not delivered in the first " + timeout.minus(left) + " of the " + timeout
                            + " from its acceptance, and given up: the next attempt is due in " + late.pause()
                            + " and needs " + late.least() + ", which does not fit in the " + left
                            + " that are left; the last one ended with: "
                            + late.cause().getMessage(),
                    timeout,
                    late.cause());
        }

        void end() {
            if (listed) {
                listed = false;
                all.inOrder.remove(this);
            }
        }
    }
}
