package io.stowline.batching;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/** The way of an item or a group into its lane, and out of it again before it is sent. */
final class Intake<K, I, R> {

    private static final int MERGE_ATTEMPTS = 3;

    private final Engine<K, I, R> engine;
    private final BatchDescriptor<I> descriptor;
    private final BatchLimits limits;

    Intake(Engine<K, I, R> engine, BatchDescriptor<I> descriptor, BatchLimits limits) {
        this.engine = engine;
        this.descriptor = descriptor;
        this.limits = limits;
    }

    /** Asks the descriptor, on the submitting thread, for all that the engine needs to know. */
    Entry<K, I, R> prepare(Batcher<K, I, R> writer, I item, boolean taken) {
        Entry<K, I, R> entry = new Entry<>(describe(item), new Submission<>(writer, taken));
        entry.company = descriptor.company(item);
        return entry;
    }

    Described<I> describe(I item) {
        Objects.requireNonNull(item, "item");
        Named entity = entity(item);
        int size = descriptor.size(item);
        if (size < 0) {
            throw new IllegalArgumentException("the size of an item must not be negative but was " + size);
        }
        if (size > limits.room()) {
            throw new OversizeItemException((long) limits.envelope() + size, limits.maxBytes());
        }
        return new Described<>(item, entity, size, descriptor.conditional(item));
    }

    private Named entity(I item) {
        return new Named(Objects.requireNonNull(descriptor.entity(item), "entity"));
    }

    /**
     * Lets an item in; without room it joins the line when there is a waiter for it.
     *
     * @return true when the item was accepted
     */
    boolean admit(Batcher<K, I, R> writer, K key, Entry<K, I, R> entry, @Nullable Waiter waiter) {
        engine.enter();
        try {
            if (entry.state == Node.State.TERMINAL) {
                return true;
            }
            engine.shutdown().refuse(writer);
            Lane<K, I, R> lane = engine.lane(key);
            Share<K, I, R> share = lane.share(writer);
            entry.place(share);
            if (writer.room().admits(share, entry.size)) {
                engine.ledger().accept(entry);
                return true;
            }
            if (waiter != null) {
                await(entry, waiter);
            } else {
                sendWhatLingers(writer, lane, share.fits(entry.size));
                if (share.isEmpty()) {
                    lane.forget(share);
                    engine.evict(lane);
                }
            }
            return false;
        } finally {
            engine.leave();
        }
    }

    /** Lets an item in or throws why there is no room, with the figures that decided it. */
    void offer(Batcher<K, I, R> writer, K key, Entry<K, I, R> entry) {
        engine.enter();
        try {
            if (!admit(writer, key, entry, null)) {
                throw writer.room().full("");
            }
        } finally {
            engine.leave();
        }
    }

    Group<K, I, R> accept(K key, List<Described<I>> items, @Nullable Duration timeout, MonoSink<List<R>> sink) {
        engine.enter();
        try {
            engine.shutdown().refuse();
            Group<K, I, R> group = new Group<>(engine.lane(key), items, sink);
            engine.ledger().accept(group, timeout);
            return group;
        } finally {
            engine.leave();
        }
    }

    /** Removes a group that is not yet sent. */
    void cancel(Group<K, I, R> group) {
        engine.enter();
        try {
            engine.ledger().cancel(group);
        } finally {
            engine.leave();
        }
    }

    /** Leaves the line and throws the reason; does nothing when the item was accepted or turned away before. */
    void abandon(Entry<K, I, R> entry, Function<Room<K, I, R>, RuntimeException> reason) {
        engine.enter();
        try {
            if (entry.state == Node.State.WAITING) {
                Room<K, I, R> room = entry.batcher().room();
                RuntimeException refusal = reason.apply(room);
                room.leave(entry);
                engine.ledger().leftLine(entry, refusal);
                throw refusal;
            }
        } finally {
            engine.leave();
        }
    }

    boolean cancel(Submission<R> submission) {
        engine.enter();
        try {
            @SuppressWarnings("unchecked")
            Entry<K, I, R> entry = (Entry<K, I, R>) submission.entry;
            return entry != null && !submission.isDone() && cancel(entry, submission);
        } finally {
            engine.leave();
        }
    }

    private boolean cancel(Entry<K, I, R> entry, Submission<R> submission) {
        CancellationException cancelled = new CancellationException("the item was cancelled");
        if (!entry.isPlaced()) {
            // Before it was let in, which will find it over.
            entry.state = Node.State.TERMINAL;
            engine.ledger().publish(submission, new Failure(cancelled));
            return true;
        }
        if (entry.state == Node.State.WAITING) {
            entry.batcher().room().leave(entry);
            engine.ledger().leftLine(entry, cancelled);
            return true;
        }
        engine.ledger().publish(submission, new Failure(cancelled));
        if (entry.isMerged()) {
            return false;
        }
        if (entry.state == Node.State.IN_FLIGHT || entry.inDoubt) {
            engine.ledger().gone(entry, cancelled);
            return false;
        }
        engine.ledger().drop(entry);
        engine.ledger().gone(entry, cancelled);
        entry.batcher().forget(submission);
        return true;
    }

    /** Merges an item into the last queued one of its entity; false when they cannot be one. */
    boolean merge(Batcher<K, I, R> writer, K key, Entry<K, I, R> later) {
        for (int attempt = 0; attempt < MERGE_ATTEMPTS; attempt++) {
            Merge<K, I, R> merge = mergeable(writer, key, later);
            I merged = merge == null ? null : descriptor.coalesce(merge.earlier(), later.item);
            if (merge == null || merged == null) {
                return false;
            }
            Described<I> whole =
                    new Described<>(merged, entity(merged), descriptor.size(merged), descriptor.conditional(merged));
            if (!whole.entity().equals(later.entity) || whole.size() < 0 || whole.size() > limits.room()) {
                return false;
            }
            if (replace(writer, merge, whole, later.submission)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Merge<K, I, R> mergeable(Batcher<K, I, R> writer, K key, Entry<K, I, R> later) {
        engine.enter();
        try {
            engine.shutdown().refuse(writer);
            Lane<K, I, R> lane = engine.existing(key);
            if (lane == null
                    || later.state == Node.State.TERMINAL
                    || (later.conditional && lane.unknown(later.entity) != null)) {
                return null;
            }
            Entry<K, I, R> last = lane.mergeable(writer, later.entity);
            return last == null ? null : new Merge<>(last, last.item);
        } finally {
            engine.leave();
        }
    }

    /** False when the queued item is no longer what the merge was made from. */
    private boolean replace(
            Batcher<K, I, R> writer, Merge<K, I, R> merge, Described<I> merged, Submission<R> submission) {
        engine.enter();
        try {
            engine.shutdown().refuse(writer);
            Entry<K, I, R> entry = merge.entry();
            Lane<K, I, R> lane = entry.lane();
            int growth = merged.size() - entry.size;
            boolean same = entry.state == Node.State.QUEUED
                    && entry.item == merge.earlier()
                    && lane.mergeable(writer, entry.entity) == entry;
            if (!same || !writer.room().admitsMerge(entry.share(), growth)) {
                return false;
            }
            engine.ledger().merge(entry, merged, submission);
            return true;
        } finally {
            engine.leave();
        }
    }

    private void await(Entry<K, I, R> entry, Waiter waiter) {
        Batcher<K, I, R> writer = entry.batcher();
        boolean wasShort = writer.room().isShort();
        entry.waiter = waiter;
        writer.room().await(entry);
        engine.crowd(writer);
        if (waiter.isCallback()) {
            engine.touch(writer);
        }
        engine.pump().urge(entry.lane());
        if (writer.room().isShort() && !wasShort) {
            engine.pump().urge(writer);
        }
    }

    /** Has the lane sent whose share is full, or all lanes of a full buffer, without lingering. */
    private void sendWhatLingers(Batcher<K, I, R> writer, Lane<K, I, R> lane, boolean inShare) {
        if (!inShare) {
            engine.pump().urge(lane);
        } else if (!writer.room().isShort()) {
            engine.pump().urge(writer);
        }
    }

    /** A queued entry and the item that it held when the merge was made. */
    private record Merge<K, I, R>(Entry<K, I, R> entry, I earlier) {}
}
