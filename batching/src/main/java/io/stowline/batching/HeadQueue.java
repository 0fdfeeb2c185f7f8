package io.stowline.batching;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a lane that may be sent next, in the order of their coming. One that had to wait is promoted to its own
 * place when it may go; such nodes stand in a tree, all others in a plain list, so that a cut never walks over nodes that
 * it cannot take.
 */
final class HeadQueue<K, I, R> {

    private static final Comparator<Node<?, ?, ?>> BY_SEQ = Comparator.comparingLong(node -> node.seq);

    private @Nullable TreeSet<Node<K, I, R>> promoted;
    private @Nullable Node<K, I, R> head;
    private @Nullable Node<K, I, R> tail;
    private int size;

    int size() {
        return size;
    }

    /** Adds a node that is newer than all others. */
    void add(Node<K, I, R> node) {
        node.headed = true;
        node.prev = tail;
        if (tail == null) {
            head = node;
        } else {
            tail.next = node;
        }
        tail = node;
        size++;
    }

    /** Adds a node at the place of its coming. */
    void promote(Node<K, I, R> node) {
        node.headed = true;
        node.promoted = true;
        if (promoted == null) {
            promoted = new TreeSet<>(BY_SEQ);
        }
        promoted.add(node);
        size++;
    }

    @Nullable
    Node<K, I, R> first() {
        if (promoted == null || promoted.isEmpty()) {
            return head;
        }
        Node<K, I, R> oldest = promoted.first();
        return head == null || oldest.seq < head.seq ? oldest : head;
    }

    void remove(Node<K, I, R> node) {
        node.headed = false;
        size--;
        if (promoted != null && node.promoted) {
            node.promoted = false;
            promoted.remove(node);
            return;
        }
        if (node.prev == null) {
            head = node.next;
        } else {
            node.prev.next = node.next;
        }
        if (node.next == null) {
            tail = node.prev;
        } else {
            node.next.prev = node.prev;
        }
        node.prev = null;
        node.next = null;
    }

    void forEach(Consumer<Node<K, I, R>> action) {
        for (Node<K, I, R> node = head; node != null; node = node.next) {
            action.accept(node);
        }
        if (promoted != null) {
            promoted.forEach(action);
        }
    }
}
