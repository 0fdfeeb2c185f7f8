package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.IntrusiveList;
import io.stowline.batching.internal.callback.RankedQueue.QueuePlace;
import io.stowline.batching.internal.engine.WriterBuffer.BlockedSubmit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The shares that writers have in one lane. Few lanes have more than one, so that the first needs no map. */
final class LaneQuotas<K, I, R> {

    private @Nullable LaneQuota<K, I, R> first;
    private Map<EngineBatcher<K, I, R>, LaneQuota<K, I, R>> others = Map.of();
    private int waiting;

    boolean isEmpty() {
        return first == null && others.isEmpty();
    }

    /** Returns whether any submit waits for room in the lane. */
    boolean hasWaiting() {
        return waiting > 0;
    }

    /** Returns the share of a writer, a new one if there is none. */
    LaneQuota<K, I, R> of(Lane<K, I, R> lane, EngineBatcher<K, I, R> batcher) {
        LaneQuota<K, I, R> known = first;
        if (known != null && known.batcher == batcher) {
            return known;
        }
        LaneQuota<K, I, R> other = others.get(batcher);
        if (other != null) {
            return other;
        }
        LaneQuota<K, I, R> quota = new LaneQuota<>(lane, batcher);
        if (known == null) {
            first = quota;
        } else {
            others = others.isEmpty() ? new HashMap<>() : others;
            others.put(batcher, quota);
        }
        return quota;
    }

    void forget(LaneQuota<K, I, R> gone) {
        if (first == gone) {
            first = null;
        } else if (!others.isEmpty()) {
            others.remove(gone.batcher, gone);
            others = others.isEmpty() ? Map.of() : others;
        }
    }

    /** The share of one lane in the buffer of one writer, and the submits that wait for room in it; guarded by the engine's lock. */
    static final class LaneQuota<K, I, R> {

        final Lane<K, I, R> lane;
        final EngineBatcher<K, I, R> batcher;

        /** The place in its buffer among the lanes whose first waiter may have room. */
        @Nullable
        QueuePlace<LaneQuota<K, I, R>> candidate;

        private final IntrusiveList<BlockedSubmit> waiters = new IntrusiveList<>();
        private int items;
        private long bytes;

        LaneQuota(Lane<K, I, R> lane, EngineBatcher<K, I, R> batcher) {
            this.lane = lane;
            this.batcher = batcher;
        }

        /** Returns the number of submits that wait for room in this lane. */
        int waiting() {
            return waiters.size();
        }

        /** Returns the waiting submits, in the order of their arrival. */
        IntrusiveList<BlockedSubmit> waiters() {
            return waiters;
        }

        void await(BlockedSubmit waiter) {
            waiters.add(waiter);
            lane.quotas.waiting++;
        }

        void leave(BlockedSubmit waiter) {
            waiters.remove(waiter);
            lane.quotas.waiting--;
        }

        boolean fits(int size) {
            WriterBuffer<K, I, R> buffer = batcher.buffer();
            return items < buffer.laneItems && bytes + size <= buffer.laneBytes;
        }

        /** Counts one more item; when it is merged into another one it takes what that one grows by. */
        void add(int size) {
            items++;
            bytes += size;
            batcher.buffer().add(1, size);
        }

        void release(int count, int size) {
            items -= count;
            bytes -= size;
            batcher.buffer().add(-count, -size);
            batcher.buffer().review(this);
            if (isEmpty()) {
                lane.quotas.forget(this);
            }
        }

        boolean isEmpty() {
            return items == 0 && waiters.size() == 0;
        }
    }
}
