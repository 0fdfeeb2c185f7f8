package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchingBounds;
import io.stowline.batching.internal.batch.DistinctKeys;
import io.stowline.batching.internal.callback.FailedOutcome;
import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.engine.LaneQuotas.LaneQuota;
import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import io.stowline.batching.internal.engine.WriterBuffer.BlockedSubmit;
import io.stowline.batching.internal.writer.Batcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/** The way of an item or a group into its lane, and out of it again before it is sent. */
final class Submitter<K, I, R> {

    private static final int MERGE_ATTEMPTS = 3;

    private final EngineLock<K, I, R> engine;
    private final BatchDescriptor<I> descriptor;
    private final Function<Batcher<?, ?, R>, EngineSubmission<R>> submissions;
    private final int maxItems;
    private final int maxBytes;
    private final int envelopeBytes;

    Submitter(EngineLock<K, I, R> engine, BatchingEngine.Builder<K, I, R> given) {
        this.engine = engine;
        this.descriptor = given.descriptor;
        this.submissions = given.submissions;
        this.maxItems = given.maxItems;
        this.maxBytes = given.maxBytes;
        this.envelopeBytes = given.envelopeBytes;
    }

    /** Describes an item on the submitting thread. */
    BufferedItem<K, I, R> prepare(EngineBatcher<K, I, R> writer, I item) {
        BufferedItem<K, I, R> entry = new BufferedItem<>(describe(item), submissions.apply(writer));
        entry.company = descriptor.company(item);
        return entry;
    }

    private DescribedItem<I> describe(I item) {
        Objects.requireNonNull(item, "item");
        GuardedKey entity = entity(item);
        int size = descriptor.size(item);
        if (size < 0) {
            throw new IllegalArgumentException("the size of an item must not be negative but was " + size);
        }
        if (size > maxBytes - envelopeBytes) {
            throw engine.errors().oversize((long) envelopeBytes + size, maxBytes);
        }
        int weight = descriptor.weight(item);
        BatchingBounds.between("the weight of an item", weight, 1, maxItems);
        return new DescribedItem<>(
                item, entity, size, weight, descriptor.conditional(item), descriptor.reportsEnd(item));
    }

    private GuardedKey entity(I item) {
        return new GuardedKey(Objects.requireNonNull(descriptor.entity(item), "entity"));
    }

    /**
     * Lets an item in; without room it joins the line when there is a waiter for it.
     *
     * @return true when the item was accepted
     */
    boolean admit(EngineBatcher<K, I, R> writer, K key, BufferedItem<K, I, R> entry, @Nullable BlockedSubmit waiter) {
        engine.enter();
        try {
            if (entry.state == QueueNode.NodeState.TERMINAL) {
                return true;
            }
            engine.shutdown().refuse(writer);
            Lane<K, I, R> lane = engine.lanes().lane(key);
            LaneQuota<K, I, R> quota = lane.quota(writer);
            entry.place(quota);
            if (writer.buffer().admits(quota, entry.size)) {
                engine.lifecycle().accept(entry);
                return true;
            }
            if (waiter != null) {
                await(entry, waiter);
            } else {
                sendLingering(writer, lane, quota.fits(entry.size));
                if (quota.isEmpty()) {
                    lane.quotas.forget(quota);
                    engine.lanes().evict(lane);
                }
            }
            return false;
        } finally {
            engine.leave();
        }
    }

    /** Lets an item in or throws why there is no room, with the figures that decided it. */
    void offer(EngineBatcher<K, I, R> writer, K key, BufferedItem<K, I, R> entry) {
        engine.enter();
        try {
            if (!admit(writer, key, entry, null)) {
                throw engine.errors().bufferFull(writer.buffer().full(""));
            }
        } finally {
            engine.leave();
        }
    }

    /** Accepts a group, and removes it when its caller cancels before it is sent. */
    void submitAtomic(K key, List<I> items, @Nullable Duration timeout, MonoSink<List<R>> sink) {
        ItemGroup<K, I, R> group = accept(key, describe(items), timeout, sink);
        sink.onCancel(() -> cancel(group));
        engine.callbacks().letCurrentWait();
    }

    private List<DescribedItem<I>> describe(List<I> items) {
        if (items.isEmpty() || items.size() > maxItems) {
            throw new IllegalArgumentException("a group must have 1 to " + maxItems + " items but has " + items.size());
        }
        List<DescribedItem<I>> all = new ArrayList<>(items.size());
        DistinctKeys entities = new DistinctKeys();
        long bytes = envelopeBytes;
        int weight = 0;
        for (I item : items) {
            DescribedItem<I> one = describe(item);
            if (!entities.add(one.entity())) {
                throw new IllegalArgumentException("a group must have each entity once but has twice " + one.entity());
            }
            bytes += one.size();
            weight += one.weight();
            all.add(one);
        }
        if (weight > maxItems) {
            throw new IllegalArgumentException(
                    "a group must count for at most " + maxItems + " items but does for " + weight);
        }
        if (bytes > maxBytes) {
            throw new IllegalArgumentException("a group must take at most " + maxBytes + " bytes but takes " + bytes);
        }
        return all;
    }

    private ItemGroup<K, I, R> accept(
            K key, List<DescribedItem<I>> items, @Nullable Duration timeout, MonoSink<List<R>> sink) {
        engine.enter();
        try {
            engine.shutdown().refuse();
            ItemGroup<K, I, R> group = new ItemGroup<>(
                    engine.lanes().lane(key), items, sink, engine.callbacks().current());
            engine.lifecycle().accept(group, timeout);
            return group;
        } finally {
            engine.leave();
        }
    }

    private void cancel(ItemGroup<K, I, R> group) {
        engine.locked(() -> engine.lifecycle().cancel(group));
    }

    /** Blocks the thread until an item in line is accepted or turned away. */
    void waitForRoom(BufferedItem<K, I, R> entry, BlockedSubmit waiter) {
        Duration timeout = entry.batcher().settings().submitTimeout();
        engine.callbacks().beforeWaiting();
        long end = System.nanoTime() + timeout.toNanos();
        while (!waiter.isOver()) {
            long left = end - System.nanoTime();
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                abandon(entry, buffer -> interrupted());
                break;
            }
            if (left <= 0) {
                abandon(entry, buffer -> engine.errors().bufferFull(buffer.full(" within " + timeout)));
                break;
            }
            LockSupport.parkNanos(entry.batcher(), left);
        }
        Throwable refusal = waiter.refusal();
        if (refusal != null) {
            throw FailedOutcome.unchecked(refusal);
        }
    }

    RuntimeException interrupted() {
        return engine.errors()
                .interrupted("the thread was interrupted; the item was not accepted", new InterruptedException());
    }

    /** Leaves the line and throws the reason; does nothing when the item was accepted or turned away before. */
    private void abandon(BufferedItem<K, I, R> entry, Function<WriterBuffer<K, I, R>, RuntimeException> reason) {
        engine.locked(() -> {
            if (entry.state == QueueNode.NodeState.WAITING) {
                WriterBuffer<K, I, R> buffer = entry.batcher().buffer();
                RuntimeException refusal = reason.apply(buffer);
                buffer.leave(entry);
                engine.lifecycle().refuseWaiting(entry, refusal);
                throw refusal;
            }
        });
    }

    boolean cancel(EngineSubmission<R> submission) {
        engine.enter();
        try {
            @SuppressWarnings("unchecked")
            BufferedItem<K, I, R> entry = (BufferedItem<K, I, R>) submission.entry;
            return entry != null && !submission.isDone() && engine.lifecycle().cancel(entry, submission);
        } finally {
            engine.leave();
        }
    }

    /** Merges an item into the last queued one of its entity; false when they cannot be one. */
    boolean merge(EngineBatcher<K, I, R> writer, K key, BufferedItem<K, I, R> later) {
        for (int attempt = 0; attempt < MERGE_ATTEMPTS; attempt++) {
            Merge<K, I, R> merge = mergeable(writer, key, later);
            I merged = merge == null ? null : descriptor.coalesce(merge.earlier(), later.item);
            if (merge == null || merged == null) {
                return false;
            }
            DescribedItem<I> whole = new DescribedItem<>(
                    merged,
                    entity(merged),
                    descriptor.size(merged),
                    descriptor.weight(merged),
                    descriptor.conditional(merged),
                    descriptor.reportsEnd(merged));
            if (!whole.entity().equals(later.entity)
                    || whole.weight() != later.weight
                    || whole.size() < 0
                    || whole.size() > maxBytes - envelopeBytes) {
                return false;
            }
            if (replace(writer, merge, whole, later.submission)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Merge<K, I, R> mergeable(EngineBatcher<K, I, R> writer, K key, BufferedItem<K, I, R> later) {
        engine.enter();
        try {
            engine.shutdown().refuse(writer);
            Lane<K, I, R> lane = engine.lanes().existing(key);
            if (lane == null
                    || later.state == QueueNode.NodeState.TERMINAL
                    || (later.conditional && lane.unknown(later.entity) != null)) {
                return null;
            }
            BufferedItem<K, I, R> last = lane.mergeable(writer, later.entity);
            return last == null ? null : new Merge<>(last, last.item);
        } finally {
            engine.leave();
        }
    }

    /** False when the queued item has changed since the merge was made from it. */
    private boolean replace(
            EngineBatcher<K, I, R> writer,
            Merge<K, I, R> merge,
            DescribedItem<I> merged,
            EngineSubmission<R> submission) {
        engine.enter();
        try {
            engine.shutdown().refuse(writer);
            BufferedItem<K, I, R> entry = merge.entry();
            Lane<K, I, R> lane = entry.lane();
            int growth = merged.size() - entry.size;
            boolean same = entry.state == QueueNode.NodeState.QUEUED
                    && entry.item == merge.earlier()
                    && lane.mergeable(writer, entry.entity) == entry;
            if (!same || !writer.buffer().admitsMerge(entry.quota(), growth)) {
                return false;
            }
            engine.lifecycle().merge(entry, merged, submission);
            return true;
        } finally {
            engine.leave();
        }
    }

    private void await(BufferedItem<K, I, R> entry, BlockedSubmit waiter) {
        EngineBatcher<K, I, R> writer = entry.batcher();
        boolean wasShort = writer.buffer().isShort();
        writer.buffer().await(entry, waiter);
        engine.crowd(writer);
        if (waiter.isRequested()) {
            engine.touch(writer);
        }
        engine.scheduler().urge(entry.lane());
        if (writer.buffer().isShort() && !wasShort) {
            engine.scheduler().urge(writer);
        }
    }

    /** Has the lane sent whose share is full, or all lanes of a full buffer, without lingering. */
    private void sendLingering(EngineBatcher<K, I, R> writer, Lane<K, I, R> lane, boolean inQuota) {
        if (!inQuota) {
            engine.scheduler().urge(lane);
        } else if (!writer.buffer().isShort()) {
            engine.scheduler().urge(writer);
        }
    }

    /** A queued entry and the item that it held when the merge was made. */
    private record Merge<K, I, R>(BufferedItem<K, I, R> entry, I earlier) {}

    /** An item with its description. */
    record DescribedItem<I>(I item, GuardedKey entity, int size, int weight, boolean conditional, boolean reportsEnd) {}
}
