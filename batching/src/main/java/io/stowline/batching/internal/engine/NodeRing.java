package io.stowline.batching.internal.engine;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO queue of nodes in a ring with a slot for each; guarded by the engine's lock. A node leaves it without access to its neighbours,
 * and reading the first nodes needs none of the others: nodes that have waited are outside of the cache, and the misses overlap.
 */
abstract class NodeRing<K, I, R> {

    /** A power of two; null where a node has left. */
    private @Nullable QueueNode<K, I, R>[] ring;

    /** The place of the first and the one behind the last; places count on, and wrap around. */
    private int from;

    private int to;
    private int size;

    /** Makes a ring with room for so many nodes, a power of two, until it grows. */
    NodeRing(int room) {
        this.ring = ring(room);
    }

    /** Returns the place that was noted in a node. */
    abstract int place(QueueNode<K, I, R> node);

    /** Notes the place of a node. */
    abstract void place(QueueNode<K, I, R> node, int place);

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Returns the node that came first; null when there is none. */
    @Nullable
    QueueNode<K, I, R> first() {
        if (size == 0) {
            from = to;
            return null;
        }
        QueueNode<K, I, R> first = ring[from & (ring.length - 1)];
        while (first == null) {
            from++;
            first = ring[from & (ring.length - 1)];
        }
        return first;
    }

    /** Adds a node as the last one. */
    void add(QueueNode<K, I, R> node) {
        if (to - from == ring.length && (first() == null || to - from == ring.length)) {
            rearrange();
        }
        put(node);
        size++;
    }

    /** Takes a node out; false when it was out before. */
    boolean remove(QueueNode<K, I, R> node) {
        int slot = place(node) & (ring.length - 1);
        if (ring[slot] != node) {
            return false;
        }
        ring[slot] = null;
        size--;
        return true;
    }

    void forEach(Consumer<? super QueueNode<K, I, R>> action) {
        for (int at = from; at != to; at++) {
            QueueNode<K, I, R> node = ring[at & (ring.length - 1)];
            if (node != null) {
                action.accept(node);
            }
        }
    }

    private void put(QueueNode<K, I, R> node) {
        place(node, to);
        ring[to & (ring.length - 1)] = node;
        to++;
    }

    /** Closes the gaps; a ring that is half full without them becomes larger. */
    private void rearrange() {
        @Nullable QueueNode<K, I, R>[] old = ring;
        int first = from;
        ring = ring(size > old.length / 2 ? 2 * old.length : old.length);
        from = 0;
        to = 0;
        for (int i = 0; i < old.length; i++) {
            QueueNode<K, I, R> node = old[(first + i) & (old.length - 1)];
            if (node != null) {
                put(node);
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, I, R> @Nullable QueueNode<K, I, R>[] ring(int slots) {
        return new QueueNode[slots];
    }
}
