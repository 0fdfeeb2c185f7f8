package io.stowline.batching;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** All reservations by the time when they end; under the engine's lock. */
final class Holds<K, I, R> {

    private final PriorityQueue<Hold<K, I, R>> holds =
            new PriorityQueue<>(Comparator.<Hold<K, I, R>>comparingLong(hold -> hold.until));
    private long entities;

    /** The number of entities that are reserved. */
    long entities() {
        return entities;
    }

    void add(Hold<K, I, R> hold) {
        holds.add(hold);
        entities += hold.entities.size();
    }

    /** When the next one ends. */
    long due() {
        Hold<K, I, R> next = holds.peek();
        return next == null ? Lane.NEVER : next.until;
    }

    /** Takes the next one that is over. */
    @Nullable
    Hold<K, I, R> poll(long now) {
        Hold<K, I, R> next = holds.peek();
        if (next == null || next.until > now) {
            return null;
        }
        holds.remove();
        entities -= next.entities.size();
        return next;
    }
}
