package io.stowline.batching.internal.callback;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO queue of nodes in a ring with a slot for each. A node leaves it without access to its neighbours, and reading the first nodes
 * needs none of the others: nodes that have waited are outside of the cache, and the misses overlap. Not safe for use by many threads: its
 * owner's lock guards it.
 */
public abstract class NodeRing<N> {

    /** A power of two; null where a node has left. */
    private @Nullable N[] ring;

    /** The place of the first and the one behind the last; places count on, and wrap around. */
    private int from;

    private int to;
    private int size;

    /** Makes a ring with room for so many nodes, a power of two, until it grows. */
    protected NodeRing(int room) {
        this.ring = ring(room);
    }

    /** Returns the place that was noted in a node. */
    protected abstract int place(N node);

    /** Notes the place of a node. */
    protected abstract void place(N node, int place);

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    /** Returns the node that came first; null when there is none. */
    @Nullable
    public N first() {
        if (size == 0) {
            from = to;
            return null;
        }
        N first = ring[from & (ring.length - 1)];
        while (first == null) {
            from++;
            first = ring[from & (ring.length - 1)];
        }
        return first;
    }

    /** Adds a node as the last one. */
    public void add(N node) {
        if (to - from == ring.length && (first() == null || to - from == ring.length)) {
            rearrange();
        }
        put(node);
        size++;
    }

    /** Takes a node out; false when it was out before. */
    public boolean remove(N node) {
        int slot = place(node) & (ring.length - 1);
        if (ring[slot] != node) {
            return false;
        }
        ring[slot] = null;
        size--;
        return true;
    }

    public void forEach(Consumer<? super N> action) {
        for (int at = from; at != to; at++) {
            N node = ring[at & (ring.length - 1)];
            if (node != null) {
                action.accept(node);
            }
        }
    }

    private void put(N node) {
        place(node, to);
        ring[to & (ring.length - 1)] = node;
        to++;
    }

    /** Closes the gaps; a ring that is half full without them becomes larger. */
    private void rearrange() {
        @Nullable N[] old = ring;
        int first = from;
        ring = ring(size > old.length / 2 ? 2 * old.length : old.length);
        from = 0;
        to = 0;
        for (int i = 0; i < old.length; i++) {
            N node = old[(first + i) & (old.length - 1)];
            if (node != null) {
                put(node);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <N> @Nullable N[] ring(int slots) {
        return (@Nullable N[]) new Object[slots];
    }
}
