package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.callback.NodeRing;
import io.stowline.batching.internal.callback.RankedQueue;
import io.stowline.batching.internal.callback.RankedQueue.QueuePlace;
import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A watch that fails the items and groups that are not delivered in time, as long as they are not in flight; under the engine's lock. */
final class DeliveryDeadlines<K, I, R> {

    private final EngineLock<K, I, R> engine;

    /** The writers with timed items, and groups, by a time before which none of theirs is over. */
    private final RankedQueue<ItemExpiries<K, I, R>> open = new RankedQueue<>();

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
        all.add(node, now());
        if (all.open == null) {
            all.open = open.add(all, node.expiry);
        }
    }

    /** Ends the time of a node, unless it has ended or there is none. */
    void end(QueueNode<K, I, R> node) {
        ItemExpiries<K, I, R> all = node.expiries;
        if (all != null && all.remove(node) && all.isEmpty()) {
            open.remove(all.open);
            all.open = null;
            groups.remove(all.timeout(), all);
        }
    }

    /** Returns the number of writers with items that have a deadline, and of times of groups. */
    int open() {
        return open.size();
    }

    long now() {
        return engine.timeOfHold();
    }

    /** Returns the time of the next expiry. */
    long due() {
        QueueNode<K, I, R> next = next();
        return next == null ? Lane.NEVER : next.expiry;
    }

    void timeOver(long now) {
        for (QueueNode<K, I, R> next = next(); next != null && next.expiry <= now; next = next()) {
            ItemExpiries<K, I, R> all = Objects.requireNonNull(next.expiries);
            end(next);
            if (next.state != QueueNode.NodeState.IN_FLIGHT && !isUnresolved(next)) {
                fail(next, failure(next, all.timeout()));
            }
        }
    }

    /** The node whose time is over first. */
    private @Nullable QueueNode<K, I, R> next() {
        for (QueuePlace<ItemExpiries<K, I, R>> place = open.first(); place != null; place = open.first()) {
            ItemExpiries<K, I, R> all = place.member();
            QueueNode<K, I, R> first = all.first();
            if (first != null && first.expiry <= place.rank()) {
                return first;
            }
            open.remove(place);
            all.open = first == null ? null : open.add(all, first.expiry);
        }
        return null;
    }

    /** A node that may have been applied is sent once more, so that its sender finds its outcome. */
    private boolean isUnresolved(QueueNode<K, I, R> node) {
        return node instanceof BufferedItem<K, I, R> entry && entry.unresolved;
    }

    /** Fails an item whose time is over. */
    void review(BufferedItem<K, I, R> entry) {
        ItemExpiries<K, I, R> all = entry.expiries;
        if (all != null && entry.expiry <= now() && !entry.unresolved) {
            fail(entry, failure(entry, all.timeout()));
        }
    }

    /** Fails an item whose next attempt does not fit in its time (RETRY-5: the pause is not cut). */
    void review(BufferedItem<K, I, R> entry, BatchReply.Late<R> late) {
        ItemExpiries<K, I, R> all = entry.expiries;
        long now = now();
        long latest = now + late.pause().toNanos() + late.min().toNanos();
        if (all != null && now < entry.expiry && entry.expiry <= latest && !entry.unresolved) {
            fail(entry, failure(all.timeout(), Duration.ofNanos(entry.expiry - now), late));
        } else {
            review(entry);
        }
    }

    /** Notes what an attempt on an item ended with. */
    void tried(BufferedItem<K, I, R> entry, Throwable end) {
        if (entry.expiries != null) {
            entry.lastEnd = end;
        }
    }

    private void fail(QueueNode<K, I, R> node, Throwable failure) {
        if (node instanceof BufferedItem<K, I, R> entry) {
            engine.lifecycle().failWithDependents(entry, failure);
        } else if (node instanceof ItemGroup<K, I, R> group) {
            engine.lifecycle().fail(group, failure);
        }
    }

    private RuntimeException failure(QueueNode<?, ?, ?> node, Duration timeout) {
        String where =
                switch (node.state) {
                    case IN_FLIGHT, CHUNKED -> "what was sent had no effect on it, and it waited to be sent again";
                    default -> "it was queued in its lane";
                };
        return engine.errors()
                .deliveryTimeout(
                        "not delivered within " + timeout + " of its acceptance: " + where, timeout, node.lastEnd);
    }

    /** The next attempt of the item does not fit in its time. */
    private RuntimeException failure(Duration timeout, Duration left, BatchReply.Late<?> late) {
        return engine.errors()
                .deliveryTimeout(
                        "not delivered in the first " + timeout.minus(left) + " of the " + timeout
                                + " from its acceptance, and given up: the next attempt is due in " + late.pause()
                                + " and needs " + late.min() + ", which does not fit in the " + left
                                + " that are left; the last one ended with: "
                                + late.cause().getMessage(),
                        timeout,
                        late.cause());
    }

    /**
     * The items of a writer, or the groups, that have the same time for their delivery, which is the order of their coming; guarded by the
     * engine's lock.
     */
    static final class ItemExpiries<K, I, R> extends NodeRing<QueueNode<K, I, R>> {

        private static final int ROOM = 16;

        private final Duration timeout;

        private @Nullable QueuePlace<ItemExpiries<K, I, R>> open;

        ItemExpiries(Duration timeout) {
            super(ROOM);
            this.timeout = timeout;
        }

        Duration timeout() {
            return timeout;
        }

        /** Has the time of a node begin. */
        void add(QueueNode<K, I, R> node, long now) {
            node.expiries = this;
            node.expiry = now + timeout.toNanos();
            add(node);
        }

        @Override
        protected int place(QueueNode<K, I, R> node) {
            return node.place;
        }

        @Override
        protected void place(QueueNode<K, I, R> node, int place) {
            node.place = place;
        }
    }
}
