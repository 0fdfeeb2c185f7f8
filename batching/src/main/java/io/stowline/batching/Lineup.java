package io.stowline.batching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order of a lane's queue; under the engine's lock.
 *
 * <p>Of each entity the first item may be sent next, in the order of the items' coming. A group waits for all before it
 * and holds up all behind it; but a group with a reserved entity is parked in the lines of its entities when it is
 * reached, so that it holds up only these.
 */
final class Lineup<K, I, R> {

    private final HeadQueue<K, I, R> heads = new HeadQueue<>();
    private final Entities<K, I, R> entities = new Entities<>();

    /** Only the entities that something keeps back. */
    private Map<Named, Line<K, I, R>> lines = Map.of();

    private int holds;

    /** The number of nodes that may be sent next. */
    int size() {
        return heads.size();
    }

    /** Whether entities are reserved. */
    boolean isReserved() {
        return holds > 0;
    }

    void append(Entry<K, I, R> entry) {
        Line<K, I, R> line = existing(entry.entity);
        if (entities.append(entry) && (line == null || line.admits(entry))) {
            heads.add(entry);
        }
    }

    void append(Group<K, I, R> group) {
        heads.add(group);
    }

    /** The node that may be sent next. */
    @Nullable
    Node<K, I, R> first() {
        Node<K, I, R> first = heads.first();
        while (first instanceof Group<K, I, R> group && !isFree(group)) {
            park(group);
            first = heads.first();
        }
        return first;
    }

    /** Takes a node that may be sent next away from the others; it must be removed afterwards. */
    void take(Node<K, I, R> node) {
        heads.remove(node);
    }

    void remove(Entry<K, I, R> entry) {
        if (entry.headed) {
            heads.remove(entry);
        }
        Entry<K, I, R> next = entities.remove(entry);
        Line<K, I, R> line = existing(entry.entity);
        if (line != null) {
            review(line);
        } else if (next != null) {
            heads.promote(next);
        }
    }

    void remove(Group<K, I, R> group) {
        if (group.headed) {
            heads.remove(group);
        } else {
            unpark(group).forEach(this::review);
        }
    }

    /** The first queued item of an entity; those behind it hang on it. */
    @Nullable
    Entry<K, I, R> first(Named entity) {
        return entities.first(entity);
    }

    /** The last queued item of an entity. */
    @Nullable
    Entry<K, I, R> last(Named entity) {
        return entities.last(entity);
    }

    /** What keeps an entity reserved. */
    @Nullable
    Hold<K, I, R> hold(Named entity) {
        Line<K, I, R> line = existing(entity);
        return line == null ? null : line.hold;
    }

    /** Why nobody can tell what an entity is, as long as it is reserved. */
    @Nullable
    Throwable unknown(Named entity) {
        Line<K, I, R> line = existing(entity);
        return line == null ? null : line.unknown;
    }

    /** Notes why nobody can tell what entities are; those that are not reserved are left alone. */
    void doubt(Map<Named, Throwable> unknown) {
        unknown.forEach((entity, cause) -> {
            Line<K, I, R> line = existing(entity);
            if (line != null && line.hold != null) {
                line.unknown = cause;
            }
        });
    }

    void reserve(Hold<K, I, R> hold) {
        holds++;
        for (Line<K, I, R> line : lines(hold.entities)) {
            line.hold = hold;
            withdraw(line);
        }
    }

    void release(Hold<K, I, R> hold) {
        holds--;
        List<Line<K, I, R>> free = lines(hold.entities);
        for (Line<K, I, R> line : free) {
            line.hold = null;
            line.unknown = null;
        }
        free.forEach(this::review);
    }

    /** Adds all nodes, in no order. */
    void collect(Set<Node<K, I, R>> nodes) {
        heads.forEach(nodes::add);
        entities.forEach(nodes::add);
        for (Line<K, I, R> line : lines.values()) {
            line.parked().forEach(nodes::add);
        }
    }

    private @Nullable Line<K, I, R> existing(Named entity) {
        return lines.isEmpty() ? null : lines.get(entity);
    }

    private List<Line<K, I, R>> lines(List<Named> entities) {
        if (lines.isEmpty()) {
            lines = new HashMap<>();
        }
        List<Line<K, I, R>> all = new ArrayList<>(entities.size());
        entities.forEach(entity -> all.add(lines.computeIfAbsent(entity, Line::new)));
        return all;
    }

    private boolean isFree(Group<K, I, R> group) {
        if (!isReserved()) {
            return true;
        }
        for (Named entity : group.entities()) {
            Line<K, I, R> line = existing(entity);
            if (line != null && !line.admits(group)) {
                return false;
            }
        }
        return true;
    }

    private void park(Group<K, I, R> group) {
        heads.remove(group);
        for (Line<K, I, R> line : lines(group.entities())) {
            line.park(group);
            withdraw(line);
        }
    }

    private List<Line<K, I, R>> unpark(Group<K, I, R> group) {
        List<Line<K, I, R>> all = lines(group.entities());
        all.forEach(line -> line.unpark(group));
        return all;
    }

    /** Takes back the first item of a line that must wait. */
    private void withdraw(Line<K, I, R> line) {
        Entry<K, I, R> first = entities.first(line.entity);
        if (first != null && first.headed && !line.admits(first)) {
            heads.remove(first);
        }
    }

    /** Lets go ahead what waits for a line no more, and what waited for that in turn. */
    private void review(Line<K, I, R> changed) {
        ArrayDeque<Line<K, I, R>> open = new ArrayDeque<>();
        for (Line<K, I, R> line = changed; line != null; line = open.poll()) {
            Group<K, I, R> group = line.firstParked();
            if (group != null && isFree(group)) {
                heads.promote(group);
                open.addAll(unpark(group));
            }
            Entry<K, I, R> first = entities.first(line.entity);
            if (first != null && !first.headed && line.admits(first)) {
                heads.promote(first);
            }
            if (line.isEmpty()) {
                lines.remove(line.entity);
            }
        }
    }
}
