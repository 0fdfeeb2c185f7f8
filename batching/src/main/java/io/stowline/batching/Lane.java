package io.stowline.batching;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is queued for one key, in order; guarded by the engine's lock. */
final class Lane<K, I, R> {

    /** The due time of what must not linger. */
    static final long NOW = Long.MIN_VALUE;

    /** The due time of what is not due at all. */
    static final long NEVER = Long.MAX_VALUE;

    final K key;
    final Named name;
    final long id;
    boolean lingering;

    /** Its place among those that are ready. */
    boolean ready;

    @Nullable
    Lane<K, I, R> prevReady;

    @Nullable
    Lane<K, I, R> nextReady;

    /** Its batch in flight. */
    @Nullable
    Flight<K, I, R> flight;

    /** Until when it sends nothing; {@link #NOW} when it may. */
    long pausedUntil = NOW;

    /** The most items of its next batch. */
    int cap;

    private final Lineup<K, I, R> lineup = new Lineup<>();
    private @Nullable Remains<K, I, R> remains;
    private @Nullable Share<K, I, R> shares;
    private int queued;
    private long queuedBytes;
    private long due = NEVER;
    private @Nullable Batcher<K, I, R> owner;
    private boolean mixed;
    private long lastGroup;

    Lane(K key, Named name, long id, int cap) {
        this.key = key;
        this.name = name;
        this.id = id;
        this.cap = cap;
    }

    boolean isIdle() {
        return queued == 0 && flight == null && shares == null && (remains == null || remains.items() == 0);
    }

    /** Whether entities are reserved. */
    boolean isReserved() {
        return remains != null && remains.hasHolds();
    }

    /** Whether there is something to be sent that waits for no reserved entity and no pause. */
    boolean canSend() {
        return pausedUntil == NOW && (hasChunks() || lineup.first() != null);
    }

    boolean hasChunks() {
        return remains != null && remains.hasChunks();
    }

    /** When the open batch is over at the latest. */
    long due() {
        return due;
    }

    long queuedBytes() {
        return queuedBytes;
    }

    /** The only writer with queued items; null when there is none, or more than one, or a group. */
    @Nullable
    Batcher<K, I, R> owner() {
        return owner;
    }

    boolean isOf(Batcher<K, I, R> batcher) {
        return mixed || owner == batcher;
    }

    long firstSeq() {
        Node<K, I, R> first = lineup.first();
        return first == null ? NEVER : first.seq;
    }

    boolean isFull(int bytes) {
        return lineup.size() >= cap || queuedBytes >= bytes;
    }

    boolean hasWaiting() {
        for (Share<K, I, R> share = shares; share != null; share = share.next) {
            if (share.waiting > 0) {
                return true;
            }
        }
        return false;
    }

    Share<K, I, R> share(Batcher<K, I, R> batcher) {
        for (Share<K, I, R> share = shares; share != null; share = share.next) {
            if (share.batcher == batcher) {
                return share;
            }
        }
        Share<K, I, R> share = new Share<>(this, batcher);
        share.next = shares;
        shares = share;
        return share;
    }

    void forget(Share<K, I, R> gone) {
        if (shares == gone) {
            shares = gone.next;
            return;
        }
        for (Share<K, I, R> share = shares; share != null; share = share.next) {
            if (share.next == gone) {
                share.next = gone.next;
                return;
            }
        }
    }

    void append(Entry<K, I, R> entry) {
        own(entry.batcher());
        entry.state = Node.State.QUEUED;
        queued++;
        queuedBytes += entry.size;
        lineup.append(entry);
        if (entry.headed || lineup.hold(entry.entity) == null) {
            due = Math.min(due, entry.due);
        }
    }

    void append(Group<K, I, R> group) {
        owner = null;
        mixed = true;
        group.state = Node.State.QUEUED;
        queued++;
        due = NOW;
        lastGroup = group.seq;
        lineup.append(group);
    }

    /** The queued item that a later one of its entity may be merged into. */
    @Nullable
    Entry<K, I, R> mergeable(Batcher<K, I, R> batcher, Named entity) {
        Entry<K, I, R> last = lineup.last(entity);
        boolean fit = last != null && last.batcher() == batcher && last.seq > lastGroup && last.share().waiting == 0;
        return fit ? last : null;
    }

    void grow(Entry<K, I, R> entry, int growth) {
        entry.size += growth;
        entry.count++;
        entry.share().add(growth);
        queuedBytes += growth;
    }

    /** Takes a node out of the queue, or notes that one of a chunk is gone. */
    void remove(Node<K, I, R> node) {
        if (node.state == Node.State.CHUNKED) {
            remains().remove();
            return;
        }
        if (node instanceof Entry<K, I, R> entry) {
            unqueue(entry);
        } else if (node instanceof Group<K, I, R> group) {
            unqueue(group);
        }
        if (queued == 0) {
            reset();
        }
    }

    /** Cuts what is to be sent next, or returns null when there is nothing. */
    @Nullable
    Load<K, I, R> cut(int maxBytes) {
        Chunk<K, I, R> again = remains == null ? null : remains.poll();
        if (again != null) {
            return dispatch(again);
        }
        Node<K, I, R> first = lineup.first();
        if (first instanceof Group<K, I, R> group) {
            remove(group);
            group.state = Node.State.IN_FLIGHT;
            return group;
        }
        return first == null ? null : dispatch(new Chunk<>(take(maxBytes), 0));
    }

    /** Puts back what had no effect, before all that is queued; while its entities are reserved it waits. */
    void requeue(Chunk<K, I, R> chunk) {
        for (Entry<K, I, R> entry : chunk.entries()) {
            entry.state = Node.State.CHUNKED;
        }
        remains().push(chunk, lineup.hold(chunk.entries().get(0).entity));
    }

    void reserve(Hold<K, I, R> hold) {
        remains().add(hold);
        lineup.reserve(hold);
        rest();
    }

    void release(Hold<K, I, R> hold) {
        remains().release(hold);
        int before = lineup.size();
        lineup.release(hold);
        wake(before);
    }

    private Remains<K, I, R> remains() {
        if (remains == null) {
            remains = new Remains<>();
        }
        return remains;
    }

    /** Why nobody can tell what an entity is, as long as it is reserved. */
    @Nullable
    Throwable unknown(Named entity) {
        return lineup.unknown(entity);
    }

    /** Notes why nobody can tell what entities are. */
    void doubt(Map<Named, Throwable> unknown) {
        lineup.doubt(unknown);
    }

    /** Calls for every node that is not in flight, in the order of their coming. */
    void forEach(Consumer<Node<K, I, R>> action) {
        Set<Node<K, I, R>> nodes = new TreeSet<>(Comparator.<Node<K, I, R>>comparingLong(node -> node.seq));
        if (remains != null) {
            remains.forEach(nodes::add);
        }
        lineup.collect(nodes);
        nodes.forEach(action);
    }

    /** The first queued item of an entity; those behind it hang on it. */
    @Nullable
    Entry<K, I, R> first(Named entity) {
        return lineup.first(entity);
    }

    private List<Entry<K, I, R>> take(int maxBytes) {
        List<Entry<K, I, R>> taken = new ArrayList<>(Math.min(cap, lineup.size()));
        long bytes = 0;
        Node<K, I, R> node = lineup.first();
        while (taken.size() < cap
                && node instanceof Entry<K, I, R> entry
                && bytes + entry.size <= maxBytes
                && (taken.isEmpty() || taken.get(0).company == entry.company)) {
            bytes += entry.size;
            lineup.take(entry);
            taken.add(entry);
            node = lineup.first();
        }
        taken.forEach(this::unqueue);
        rest();
        return taken;
    }

    private Chunk<K, I, R> dispatch(Chunk<K, I, R> chunk) {
        for (Entry<K, I, R> entry : chunk.entries()) {
            entry.state = Node.State.IN_FLIGHT;
        }
        return chunk;
    }

    private void unqueue(Entry<K, I, R> entry) {
        queued--;
        queuedBytes -= entry.size;
        lineup.remove(entry);
    }

    private void unqueue(Group<K, I, R> group) {
        queued--;
        int before = lineup.size();
        lineup.remove(group);
        wake(before);
    }

    /** What had to wait does not linger. */
    private void wake(int before) {
        if (lineup.size() > before) {
            due = NOW;
        }
    }

    private void own(Batcher<K, I, R> batcher) {
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
        } else if (lineup.size() == 0) {
            due = NEVER;
        } else if (!mixed && lineup.first() instanceof Entry<K, I, R> entry) {
            due = entry.due;
        }
    }

    private void reset() {
        owner = null;
        mixed = false;
        due = NEVER;
    }
}
