package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.callback.IntrusiveList;
import io.stowline.batching.internal.callback.RankedQueue.QueuePlace;
import io.stowline.batching.internal.engine.BatchPart.ResendQueue;
import io.stowline.batching.internal.engine.InFlightBatch.BatchPayload;
import io.stowline.batching.internal.engine.LaneQueue.EntityReservation;
import io.stowline.batching.internal.engine.LaneQuotas.LaneQuota;
import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The queue of one key, in order; guarded by the engine's lock. */
final class Lane<K, I, R> extends IntrusiveList.Node<Lane<K, I, R>> {

    /** The due time of what must not linger. */
    static final long NOW = Long.MIN_VALUE;

    /** The due time of what is not due at all. */
    static final long NEVER = Long.MAX_VALUE;

    final K key;
    final GuardedKey name;
    final long id;

    /** The lanes that wait for a fuller batch with this one; null when it does not. */
    @Nullable
    IntrusiveList<Lane<K, I, R>> lingersAmong;

    /** The shares of the writers in it. */
    final LaneQuotas<K, I, R> quotas = new LaneQuotas<>();

    /** The lanes that are ready to send with this one, and since when in the order of all; null when it is not ready. */
    @Nullable
    IntrusiveList<Lane<K, I, R>> readyAmong;

    long readyTurn;

    /** The batch in flight. */
    @Nullable
    InFlightBatch<K, I, R> flight;

    /** The place of its pause; null when it may send. */
    @Nullable
    QueuePlace<Lane<K, I, R>> pause;

    /** The most items of its next batch, by their weight; one at least goes. */
    int cap;

    private final LaneQueue<K, I, R> queue = new LaneQueue<>();
    private @Nullable ResendQueue<K, I, R> resends;
    private int queued;
    private long queuedBytes;
    private long due = NEVER;
    private @Nullable EngineBatcher<K, I, R> owner;
    private boolean mixed;
    private long lastGroup;

    Lane(K key, GuardedKey name, long id, int cap) {
        this.key = key;
        this.name = name;
        this.id = id;
        this.cap = cap;
    }

    boolean isIdle() {
        return queued == 0 && flight == null && quotas.isEmpty() && (resends == null || resends.items() == 0);
    }

    /** Returns whether entities are reserved. */
    boolean isReserved() {
        return resends != null && resends.hasReservations();
    }

    /** Returns whether it can send something that waits for no reserved entity and no pause. */
    boolean canSend() {
        return pause == null && (hasChunks() || queue.first() != null);
    }

    boolean hasChunks() {
        return resends != null && resends.hasChunks();
    }

    /** Returns the time at which the open batch is sent at the latest. */
    long due() {
        return due;
    }

    long queuedBytes() {
        return queuedBytes;
    }

    /** Returns the only writer with queued items; null when there is none, or more than one, or a group. */
    @Nullable
    EngineBatcher<K, I, R> owner() {
        return owner;
    }

    boolean lingers() {
        return lingersAmong != null;
    }

    long firstSeq() {
        QueueNode<K, I, R> first = queue.first();
        return first == null ? NEVER : first.seq;
    }

    boolean isFull(int bytes) {
        return queue.weight() >= cap || queuedBytes >= bytes;
    }

    /** Returns whether its next batch is one of the most items or bytes that any may have. */
    boolean hasWholeBatch(int items, int bytes) {
        return cap >= items && isFull(bytes);
    }

    LaneQuota<K, I, R> quota(EngineBatcher<K, I, R> batcher) {
        return quotas.of(this, batcher);
    }

    void append(BufferedItem<K, I, R> entry) {
        own(entry.batcher());
        entry.state = QueueNode.NodeState.QUEUED;
        queued++;
        queuedBytes += entry.size;
        queue.append(entry);
        if (entry.headed || queue.reservation(entry.entity) == null) {
            due = Math.min(due, entry.due);
        }
    }

    void append(ItemGroup<K, I, R> group) {
        owner = null;
        mixed = true;
        group.state = QueueNode.NodeState.QUEUED;
        queued++;
        due = NOW;
        lastGroup = group.seq;
        queue.append(group);
    }

    /** Returns the queued item that a later one of its entity may be merged into. */
    @Nullable
    BufferedItem<K, I, R> mergeable(EngineBatcher<K, I, R> batcher, GuardedKey entity) {
        BufferedItem<K, I, R> last = queue.last(entity);
        boolean fit = last != null
                && last.batcher() == batcher
                && last.seq > lastGroup
                && last.quota().waiting() == 0;
        return fit ? last : null;
    }

    void grow(BufferedItem<K, I, R> entry, int growth) {
        entry.size += growth;
        entry.count++;
        entry.quota().add(growth);
        queuedBytes += growth;
    }

    /** Takes a node out of the queue, or notes that one of a chunk is gone. */
    void remove(QueueNode<K, I, R> node) {
        if (node.state == QueueNode.NodeState.CHUNKED) {
            resends().remove();
            return;
        }
        if (node instanceof BufferedItem<K, I, R> entry) {
            unqueue(entry);
        } else if (node instanceof ItemGroup<K, I, R> group) {
            unqueue(group);
        }
        if (queued == 0) {
            reset();
        }
    }

    /** Cuts what is to be sent next, or returns null when there is nothing. */
    @Nullable
    BatchPayload<K, I, R> cut(int maxBytes) {
        BatchPart<K, I, R> again = resends == null ? null : resends.poll();
        if (again != null) {
            return dispatch(again);
        }
        QueueNode<K, I, R> first = queue.first();
        if (first instanceof ItemGroup<K, I, R> group) {
            remove(group);
            group.state = QueueNode.NodeState.IN_FLIGHT;
            return group;
        }
        return first == null ? null : dispatch(new BatchPart<>(take(maxBytes), 0));
    }

    /** Puts back what had no effect, before all that is queued; while its entities are reserved it waits. */
    void requeue(BatchPart<K, I, R> chunk) {
        for (BufferedItem<K, I, R> entry : chunk.entries()) {
            entry.state = QueueNode.NodeState.CHUNKED;
        }
        resends().push(chunk, queue.reservation(chunk.entries().get(0).entity));
    }

    void reserve(EntityReservation<K, I, R> reservation) {
        resends().add(reservation);
        queue.reserve(reservation);
        rest();
    }

    void release(EntityReservation<K, I, R> reservation) {
        resends().release(reservation);
        int before = queue.size();
        queue.release(reservation);
        wake(before);
    }

    private ResendQueue<K, I, R> resends() {
        if (resends == null) {
            resends = new ResendQueue<>();
        }
        return resends;
    }

    /** Returns why the state of an entity is unknown, as long as it is reserved. */
    @Nullable
    Throwable unknown(GuardedKey entity) {
        return queue.unknown(entity);
    }

    /** Notes why it is not known what entities are. */
    void markUnresolved(Map<GuardedKey, Throwable> unknown) {
        queue.markUnresolved(unknown);
    }

    /** Calls for every node that is not in flight, in the order of their coming. */
    void forEach(Consumer<QueueNode<K, I, R>> action) {
        Set<QueueNode<K, I, R>> nodes = new TreeSet<>(Comparator.<QueueNode<K, I, R>>comparingLong(node -> node.seq));
        if (resends != null) {
            resends.forEach(nodes::add);
        }
        queue.collect(nodes);
        nodes.forEach(action);
    }

    /** Returns the first queued item of an entity, to which the later ones are linked. */
    @Nullable
    BufferedItem<K, I, R> first(GuardedKey entity) {
        return queue.first(entity);
    }

    private List<BufferedItem<K, I, R>> take(int maxBytes) {
        List<BufferedItem<K, I, R>> taken = new ArrayList<>(Math.min(cap, queue.size()));
        long bytes = 0;
        int weight = 0;
        QueueNode<K, I, R> node = queue.first();
        while (node instanceof BufferedItem<K, I, R> entry
                && bytes + entry.size <= maxBytes
                && (taken.isEmpty() || (weight + entry.weight <= cap && taken.get(0).company == entry.company))) {
            bytes += entry.size;
            weight += entry.weight;
            queue.take(entry);
            taken.add(entry);
            node = queue.first();
        }
        taken.forEach(this::unqueue);
        rest();
        return taken;
    }

    private BatchPart<K, I, R> dispatch(BatchPart<K, I, R> chunk) {
        for (BufferedItem<K, I, R> entry : chunk.entries()) {
            entry.state = QueueNode.NodeState.IN_FLIGHT;
        }
        return chunk;
    }

    private void unqueue(BufferedItem<K, I, R> entry) {
        queued--;
        queuedBytes -= entry.size;
        queue.remove(entry);
    }

    private void unqueue(ItemGroup<K, I, R> group) {
        queued--;
        int before = queue.size();
        queue.remove(group);
        wake(before);
    }

    /** An item that had to wait does not linger. */
    private void wake(int before) {
        if (queue.size() > before) {
            due = NOW;
        }
    }

    private void own(EngineBatcher<K, I, R> batcher) {
        if (queued == 0) {
            owner = batcher;
        } else if (owner != batcher) {
            owner = null;
            mixed = true;
        }
    }

    private void rest() {
        if (queued == 0) {
            reset();
        } else if (queue.size() == 0) {
            due = NEVER;
        } else if (!mixed && queue.first() instanceof BufferedItem<K, I, R> entry) {
            due = entry.due;
        }
    }

    private void reset() {
        owner = null;
        mixed = false;
        due = NEVER;
    }
}
