package io.stowline.batching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is queued for one key, in order; guarded by the engine's lock. */
final class Lane<K, I, R> {

    /** The due time of what must not linger. */
    static final long NOW = Long.MIN_VALUE;

    private static final long NEVER = Long.MAX_VALUE;

    final K key;
    final long id;
    boolean inFlight;
    boolean lingering;
    private final HeadQueue<K, I, R> heads = new HeadQueue<>();
    private final Map<Object, Entry<K, I, R>> tails = new HashMap<>();
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

    boolean hasChunks() {
        return chunked > 0;
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
        Node<K, I, R> first = heads.first();
        return first == null ? NEVER : first.seq;
    }

    boolean isFull(int items, int bytes) {
        return heads.size() >= items || queuedBytes >= bytes;
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
        due = Math.min(due, entry.due);
        Entry<K, I, R> before = tails.put(entry.entity, entry);
        if (before == null) {
            heads.add(entry);
        } else {
            before.nextSame = entry;
            entry.prevSame = before;
        }
    }

    void append(Group<K, I, R> group) {
        owner = null;
        mixed = true;
        group.state = Node.State.QUEUED;
        queued++;
        due = NOW;
        lastGroup = group.seq;
        heads.add(group);
    }

    /** The queued item that a later one of its entity may be merged into. */
    @Nullable
    Entry<K, I, R> mergeable(Batcher<K, I, R> batcher, Object entity) {
        Entry<K, I, R> last = tails.get(entity);
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
            if (entry.prevSame == null) {
                heads.remove(entry);
            }
            unqueue(entry);
        } else {
            heads.remove(node);
            queued--;
        }
        if (queued == 0) {
            reset();
        }
    }

    /** Cuts what is to be sent next, or returns null when there is nothing. */
    @Nullable
    Load<K, I, R> cut(int maxItems, int maxBytes) {
        for (Chunk<K, I, R> chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
            if (chunk.prune()) {
                chunked -= chunk.entries().size();
                return dispatch(chunk);
            }
        }
        Node<K, I, R> first = heads.first();
        if (first instanceof Group<K, I, R> group) {
            remove(group);
            group.state = Node.State.IN_FLIGHT;
            return group;
        }
        return first == null ? null : dispatch(new Chunk<>(take(maxItems, maxBytes), 0));
    }

    /** Puts back what had no effect, before all that is queued. */
    void requeue(Chunk<K, I, R> chunk) {
        for (Entry<K, I, R> entry : chunk.entries()) {
            entry.state = Node.State.CHUNKED;
        }
        chunked += chunk.entries().size();
        chunks.addFirst(chunk);
    }

    /** Calls for every node that is not in flight. */
    void forEach(Consumer<Node<K, I, R>> action) {
        List<Node<K, I, R>> nodes = new ArrayList<>(queued + chunked);
        chunks.forEach(chunk -> nodes.addAll(chunk.entries()));
        heads.forEach(nodes::add);
        tails.values().forEach(tail -> addBlocked(tail, nodes));
        nodes.forEach(action);
    }

    /** The last queued item of an entity; those before it hang on it. */
    @Nullable
    Entry<K, I, R> last(Object entity) {
        return tails.get(entity);
    }

    private void addBlocked(Entry<K, I, R> tail, List<Node<K, I, R>> nodes) {
        for (Entry<K, I, R> entry = tail; entry != null && entry.prevSame != null; entry = entry.prevSame) {
            nodes.add(entry);
        }
    }

    private List<Entry<K, I, R>> take(int maxItems, int maxBytes) {
        List<Entry<K, I, R>> taken = new ArrayList<>(Math.min(maxItems, heads.size()));
        long bytes = 0;
        Node<K, I, R> node = heads.first();
        while (taken.size() < maxItems && node instanceof Entry<K, I, R> entry && bytes + entry.size <= maxBytes) {
            bytes += entry.size;
            heads.remove(entry);
            taken.add(entry);
            node = heads.first();
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
        Entry<K, I, R> before = entry.prevSame;
        Entry<K, I, R> after = entry.nextSame;
        if (before != null) {
            before.nextSame = after;
        }
        if (after != null) {
            after.prevSame = before;
        } else if (before != null) {
            tails.put(entry.entity, before);
        } else {
            tails.remove(entry.entity);
        }
        if (before == null && after != null) {
            heads.promote(after);
        }
        entry.prevSame = null;
        entry.nextSame = null;
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
        } else if (!mixed && heads.first() instanceof Entry<K, I, R> entry) {
            due = entry.due;
        }
    }

    private void reset() {
        owner = null;
        mixed = false;
        due = NEVER;
    }
}
