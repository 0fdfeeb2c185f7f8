package io.stowline.batching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
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
    final long id;
    boolean inFlight;
    boolean lingering;
    private final Lineup<K, I, R> lineup = new Lineup<>();
    private final Set<Hold<K, I, R>> holds = new LinkedHashSet<>(0);
    private final ArrayDeque<Chunk<K, I, R>> chunks = new ArrayDeque<>(0);
    private @Nullable Share<K, I, R> shares;
    private int queued;
    private long queuedBytes;
    private int chunked;
    private long due = NEVER;
    private @Nullable Batcher<K, I, R> owner;
    private boolean mixed;
    private long lastGroup;

    Lane(K key, long id) {
        this.key = key;
        this.id = id;
    }

    boolean isEmpty() {
        return queued + chunked == 0;
    }

    boolean isIdle() {
        return isEmpty() && !inFlight && shares == null;
    }

    /** Whether entities are reserved. */
    boolean isReserved() {
        return !holds.isEmpty();
    }

    /** Whether there is something to be sent that does not wait for a reserved entity. */
    boolean canSend() {
        return hasChunks() || lineup.first() != null;
    }

    boolean hasChunks() {
        while (!chunks.isEmpty() && chunks.getFirst().isOver()) {
            chunks.removeFirst();
        }
        return !chunks.isEmpty();
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

    boolean isFull(int items, int bytes) {
        return lineup.size() >= items || queuedBytes >= bytes;
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
    Entry<K, I, R> mergeable(Batcher<K, I, R> batcher, Object entity) {
        Entry<K, I, R> last = lineup.last(entity);
        boolean fit = last != null && last.batcher() == batcher && last.seq > lastGroup && last.share().waiting == 0;
        return fit ? last : null;
    }

    void grow(Entry<K, I, R> entry, int growth) {
        entry.size += growth;
        entry.share().grow(growth);
        queuedBytes += growth;
    }

    /** Takes a node out of the queue, or notes that one of a chunk is gone. */
    void remove(Node<K, I, R> node) {
        if (node.state == Node.State.CHUNKED) {
            chunked--;
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
    Load<K, I, R> cut(int maxItems, int maxBytes) {
        if (hasChunks()) {
            Chunk<K, I, R> chunk = chunks.removeFirst();
            chunk.prune();
            chunked -= chunk.entries().size();
            return dispatch(chunk);
        }
        Node<K, I, R> first = lineup.first();
        if (first instanceof Group<K, I, R> group) {
            remove(group);
            group.state = Node.State.IN_FLIGHT;
            return group;
        }
        return first == null ? null : dispatch(new Chunk<>(take(maxItems, maxBytes), 0));
    }

    /** Puts back what had no effect, before all that is queued; while its entities are reserved it waits. */
    void requeue(Chunk<K, I, R> chunk) {
        for (Entry<K, I, R> entry : chunk.entries()) {
            entry.state = Node.State.CHUNKED;
        }
        chunked += chunk.entries().size();
        Hold<K, I, R> hold = lineup.hold(chunk.entries().get(0).entity);
        (hold == null ? chunks : hold.chunks).addFirst(chunk);
    }

    void reserve(Hold<K, I, R> hold) {
        holds.add(hold);
        lineup.reserve(hold);
        rest();
    }

    void release(Hold<K, I, R> hold) {
        holds.remove(hold);
        while (!hold.chunks.isEmpty()) {
            chunks.addFirst(hold.chunks.removeLast());
        }
        int before = lineup.size();
        lineup.release(hold);
        wake(before);
    }

    /** Why nobody can tell what an entity is, as long as it is reserved. */
    @Nullable
    Throwable unknown(Object entity) {
        return lineup.unknown(entity);
    }

    /** Notes why nobody can tell what entities are. */
    void doubt(Map<Object, Throwable> unknown) {
        lineup.doubt(unknown);
    }

    /** Calls for every node that is not in flight, in the order of their coming. */
    void forEach(Consumer<Node<K, I, R>> action) {
        Set<Node<K, I, R>> nodes = new TreeSet<>(Comparator.<Node<K, I, R>>comparingLong(node -> node.seq));
        chunks.forEach(chunk -> nodes.addAll(chunk.entries()));
        holds.forEach(hold -> hold.chunks.forEach(chunk -> nodes.addAll(chunk.entries())));
        lineup.collect(nodes);
        nodes.forEach(action);
    }

    /** The last queued item of an entity; those before it hang on it. */
    @Nullable
    Entry<K, I, R> last(Object entity) {
        return lineup.last(entity);
    }

    private List<Entry<K, I, R>> take(int maxItems, int maxBytes) {
        List<Entry<K, I, R>> taken = new ArrayList<>(Math.min(maxItems, lineup.size()));
        long bytes = 0;
        Node<K, I, R> node = lineup.first();
        while (taken.size() < maxItems && node instanceof Entry<K, I, R> entry && bytes + entry.size <= maxBytes) {
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
