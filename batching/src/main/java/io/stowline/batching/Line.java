package io.stowline.batching;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What keeps the items of one entity of a lane back; under the engine's lock. */
final class Line<K, I, R> {

    final Named entity;

    /** Keeps the entity reserved. */
    @Nullable
    Hold<K, I, R> hold;

    /** Why nobody can tell whether the item before the reservation was applied. */
    @Nullable
    Throwable unknown;

    private @Nullable TreeSet<Group<K, I, R>> parked;

    Line(Named entity) {
        this.entity = entity;
    }

    void park(Group<K, I, R> group) {
        if (parked == null) {
            parked = new TreeSet<>(Comparator.<Group<K, I, R>>comparingLong(each -> each.seq));
        }
        parked.add(group);
    }

    void unpark(Group<K, I, R> group) {
        if (parked != null && parked.remove(group) && parked.isEmpty()) {
            parked = null;
        }
    }

    @Nullable
    Group<K, I, R> firstParked() {
        return parked == null ? null : parked.first();
    }

    Iterable<Group<K, I, R>> parked() {
        return parked == null ? List.of() : parked;
    }

    /** Whether a node of this entity may be sent before whatever else is parked or reserved. */
    boolean admits(Node<K, I, R> node) {
        Group<K, I, R> group = firstParked();
        return hold == null && (group == null || group.seq >= node.seq);
    }

    boolean isEmpty() {
        return hold == null && parked == null;
    }
}
