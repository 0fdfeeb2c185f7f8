package io.stowline.batching.internal.callback;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list whose links are fields of its members, so that a place in it costs no object and is left in constant
 * time. A member is in at most one list. Not safe for use by many threads: its owner's lock guards it.
 */
public final class IntrusiveList<N extends IntrusiveList.Node<N>> {

    /** A member of a list. */
    public abstract static class Node<N extends Node<N>> {

        @Nullable
        N prev;

        public @Nullable N next;
    }

    private @Nullable N first;
    private @Nullable N last;
    private int size;

    public int size() {
        return size;
    }

    public @Nullable N first() {
        return first;
    }

    /** Adds a member as the last one. */
    public void add(N node) {
        node.prev = last;
        if (last == null) {
            first = node;
        } else {
            last.next = node;
        }
        last = node;
        size++;
    }

    public void remove(N node) {
        if (node.prev == null) {
            first = node.next;
        } else {
            node.prev.next = node.next;
        }
        if (node.next == null) {
            last = node.prev;
        } else {
            node.next.prev = node.prev;
        }
        node.prev = null;
        node.next = null;
        size--;
    }

    /** Takes the first member; null when there is none. */
    public @Nullable N poll() {
        N node = first;
        if (node != null) {
            remove(node);
        }
        return node;
    }

    public void forEach(Consumer<? super N> action) {
        for (N node = first; node != null; node = node.next) {
            action.accept(node);
        }
    }
}
