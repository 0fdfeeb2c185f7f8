package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.engine.LaneQuotas.LaneQuota;
import io.stowline.batching.internal.engine.Submitter.DescribedItem;
import io.stowline.batching.internal.engine.WriterBuffer.BlockedSubmit;
import org.jspecify.annotations.Nullable;

/** One item of a writer; all guarded by the engine's lock. */
final class BufferedItem<K, I, R> extends QueueNode<K, I, R> {

    /** One object for all queued items of the entity. */
    GuardedKey entity;

    /** The spread hash of the entity, taken on the submitting thread. */
    final int hash;

    /** The key of the items with which it may share a batch. */
    @Nullable
    Object company;

    /** True if it was sent, may have been carried out, and is to be sent again. */
    boolean unresolved;

    I item;
    int size;

    /** The number of submissions that it stands for. */
    int count = 1;

    boolean conditional;
    boolean reportsEnd;
    long due;
    EngineSubmission<R> submission;

    @Nullable
    BlockedSubmit waiter;

    /** The previous item of its entity; for the first one the last. */
    BufferedItem<K, I, R> prevSame = this;

    @Nullable
    BufferedItem<K, I, R> nextSame;

    private @Nullable LaneQuota<K, I, R> quota;

    BufferedItem(DescribedItem<I> given, EngineSubmission<R> submission) {
        this.item = given.item();
        this.entity = given.entity();
        this.hash = hash(entity);
        this.size = given.size();
        this.weight = given.weight();
        this.conditional = given.conditional();
        this.reportsEnd = given.reportsEnd();
        this.submission = submission;
        submission.entry = this;
    }

    static int hash(Object entity) {
        int hash = entity.hashCode();
        return hash ^ (hash >>> 16);
    }

    void place(LaneQuota<K, I, R> quota) {
        this.quota = quota;
    }

    boolean isPlaced() {
        return quota != null;
    }

    LaneQuota<K, I, R> quota() {
        if (quota == null) {
            throw new IllegalStateException("an item without a lane");
        }
        return quota;
    }

    EngineBatcher<K, I, R> batcher() {
        return quota().batcher;
    }

    Lane<K, I, R> lane() {
        return quota().lane;
    }

    boolean isMerged() {
        return submission.merged != null;
    }
}
