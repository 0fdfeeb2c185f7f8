package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.callback.IntrusiveList;
import io.stowline.batching.internal.engine.DeliveryDeadlines.ItemExpiries;
import io.stowline.batching.internal.engine.InFlightBatch.BatchPayload;
import io.stowline.batching.internal.engine.Submitter.DescribedItem;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/** A node of a lane's queue; all guarded by the engine's lock. */
abstract sealed class QueueNode<K, I, R> extends IntrusiveList.Node<QueueNode<K, I, R>>
        permits BufferedItem, QueueNode.ItemGroup {

    /** The state of a node on its way from submit to its terminal result. */
    enum NodeState {
        WAITING,
        QUEUED,
        CHUNKED,
        IN_FLIGHT,
        TERMINAL
    }

    NodeState state = NodeState.WAITING;
    long seq;

    /** The weight in items of a batch. */
    int weight = 1;

    /** The times of its delivery; {@code null} without one. */
    @Nullable
    ItemExpiries<K, I, R> expiries;

    /** The time by which it must have its end, if its delivery is timed. */
    long expiry;

    /** The index among {@link #expiries}. */
    int place;

    /** The end of its last attempt, if its delivery is timed. */
    @Nullable
    Throwable lastEnd;

    /** True if it is among those of its lane that may be sent next. */
    boolean headed;

    /** The place among those. */
    int headPlace;

    boolean promoted;

    /** An explicit transaction, sent alone and whole; guarded by the engine's lock. */
    static final class ItemGroup<K, I, R> extends QueueNode<K, I, R> implements BatchPayload<K, I, R> {

        final Lane<K, I, R> lane;
        /** The callback that submitted it, and may wait for it. */
        final @Nullable Object requester;

        /** True if its caller has gone while it was in flight: it is not sent once more. */
        boolean abandoned;

        private final List<DescribedItem<I>> items;
        private final MonoSink<List<R>> sink;

        ItemGroup(
                Lane<K, I, R> lane, List<DescribedItem<I>> items, MonoSink<List<R>> sink, @Nullable Object requester) {
            this.lane = lane;
            this.items = items;
            this.sink = sink;
            this.requester = requester;
        }

        @Override
        public List<I> items() {
            return items.stream().map(DescribedItem::item).toList();
        }

        @Override
        public int weight() {
            return items.size();
        }

        @Override
        public int heaviest() {
            return 1;
        }

        @Override
        public List<GuardedKey> entities() {
            return items.stream().map(DescribedItem::entity).toList();
        }

        @Override
        public @Nullable QueueNode<K, I, R> firstDue() {
            return expiries == null ? null : this;
        }

        @Override
        public List<EngineBatcher<K, I, R>> writers() {
            return List.of();
        }

        @Override
        public boolean wantsAttempt(boolean due) {
            return state != NodeState.TERMINAL && !abandoned;
        }

        /** Returns the first entity with a conditional item that matches. */
        @Nullable
        GuardedKey firstConditional(Predicate<GuardedKey> entity) {
            for (DescribedItem<I> each : items) {
                if (each.conditional() && entity.test(each.entity())) {
                    return each.entity();
                }
            }
            return null;
        }

        void deliver(List<R> results) {
            sink.success(results);
        }

        void fail(Throwable error) {
            sink.error(error);
        }
    }
}
