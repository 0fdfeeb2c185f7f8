package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.callback.NodeRing;
import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The order of a lane's queue; under the engine's lock.
 *
 * <p>Of each entity the first item may be sent next, in the order of the items' coming. A group waits for all before it
 * and holds up all behind it; but a group with a reserved entity is parked in the lines of its entities when it is
 * reached, so that it holds up only these.
 */
final class LaneQueue<K, I, R> {

    private final LaneHeads<K, I, R> heads = new LaneHeads<>();
    private final LaneEntities<K, I, R> entities = new LaneEntities<>();

    /** Has only the entities that something keeps back. */
    private Map<GuardedKey, EntityQueue<K, I, R>> queues = Map.of();

    private int reservations;

    /** Returns the number of nodes that may be sent next. */
    int size() {
        return heads.size();
    }

    /** Returns the weight of those nodes in items of a batch. */
    int weight() {
        return heads.weight();
    }

    /** Returns whether entities are reserved. */
    boolean isReserved() {
        return reservations > 0;
    }

    void append(BufferedItem<K, I, R> entry) {
        EntityQueue<K, I, R> queue = existing(entry.entity);
        if (entities.append(entry) && (queue == null || queue.admits(entry))) {
            heads.add(entry);
        }
    }

    void append(ItemGroup<K, I, R> group) {
        heads.add(group);
    }

    /** Returns the node that may be sent next. */
    @Nullable
    QueueNode<K, I, R> first() {
        QueueNode<K, I, R> first = heads.first();
        while (first instanceof ItemGroup<K, I, R> group && !isFree(group)) {
            park(group);
            first = heads.first();
        }
        return first;
    }

    /** Takes a node that may be sent next away from the others; it must be removed afterwards. */
    void take(QueueNode<K, I, R> node) {
        heads.remove(node);
    }

    void remove(BufferedItem<K, I, R> entry) {
        if (entry.headed) {
            heads.remove(entry);
        }
        BufferedItem<K, I, R> next = entities.remove(entry);
        EntityQueue<K, I, R> queue = existing(entry.entity);
        if (queue != null) {
            review(queue);
        } else if (next != null) {
            heads.promote(next);
        }
    }

    void remove(ItemGroup<K, I, R> group) {
        if (group.headed) {
            heads.remove(group);
        } else {
            unpark(group).forEach(this::review);
        }
    }

    /** Returns the first queued item of an entity, to which the later ones are linked. */
    @Nullable
    BufferedItem<K, I, R> first(GuardedKey entity) {
        return entities.first(entity);
    }

    /** Returns the last queued item of an entity. */
    @Nullable
    BufferedItem<K, I, R> last(GuardedKey entity) {
        return entities.last(entity);
    }

    /** Returns the reservation of an entity. */
    @Nullable
    EntityReservation<K, I, R> reservation(GuardedKey entity) {
        EntityQueue<K, I, R> queue = existing(entity);
        return queue == null ? null : queue.reservation;
    }

    /** Returns why the state of an entity is unknown, as long as it is reserved. */
    @Nullable
    Throwable unknown(GuardedKey entity) {
        EntityQueue<K, I, R> queue = existing(entity);
        return queue == null ? null : queue.unknown;
    }

    /** Notes why it is not known what entities are; those that are not reserved are left alone. */
    void markUnresolved(Map<GuardedKey, Throwable> unknown) {
        unknown.forEach((entity, cause) -> {
            EntityQueue<K, I, R> queue = existing(entity);
            if (queue != null && queue.reservation != null) {
                queue.unknown = cause;
            }
        });
    }

    void reserve(EntityReservation<K, I, R> reservation) {
        reservations++;
        for (EntityQueue<K, I, R> queue : queues(reservation.entities)) {
            queue.reservation = reservation;
            withdraw(queue);
        }
    }

    void release(EntityReservation<K, I, R> reservation) {
        reservations--;
        List<EntityQueue<K, I, R>> free = queues(reservation.entities);
        for (EntityQueue<K, I, R> queue : free) {
            queue.reservation = null;
            queue.unknown = null;
        }
        free.forEach(this::review);
    }

    /** Adds all nodes, in no order. */
    void collect(Set<QueueNode<K, I, R>> nodes) {
        heads.forEach(nodes::add);
        entities.forEach(nodes::add);
        for (EntityQueue<K, I, R> queue : queues.values()) {
            queue.parked().forEach(nodes::add);
        }
    }

    private @Nullable EntityQueue<K, I, R> existing(GuardedKey entity) {
        return queues.isEmpty() ? null : queues.get(entity);
    }

    private List<EntityQueue<K, I, R>> queues(List<GuardedKey> entities) {
        if (queues.isEmpty()) {
            queues = new HashMap<>();
        }
        List<EntityQueue<K, I, R>> all = new ArrayList<>(entities.size());
        entities.forEach(entity -> all.add(queues.computeIfAbsent(entity, EntityQueue::new)));
        return all;
    }

    private boolean isFree(ItemGroup<K, I, R> group) {
        if (!isReserved()) {
            return true;
        }
        for (GuardedKey entity : group.entities()) {
            EntityQueue<K, I, R> queue = existing(entity);
            if (queue != null && !queue.admits(group)) {
                return false;
            }
        }
        return true;
    }

    private void park(ItemGroup<K, I, R> group) {
        heads.remove(group);
        for (EntityQueue<K, I, R> queue : queues(group.entities())) {
            queue.park(group);
            withdraw(queue);
        }
    }

    private List<EntityQueue<K, I, R>> unpark(ItemGroup<K, I, R> group) {
        List<EntityQueue<K, I, R>> all = queues(group.entities());
        all.forEach(queue -> queue.unpark(group));
        return all;
    }

    /** Takes back the first item of a line that must wait. */
    private void withdraw(EntityQueue<K, I, R> queue) {
        BufferedItem<K, I, R> first = entities.first(queue.entity);
        if (first != null && first.headed && !queue.admits(first)) {
            heads.remove(first);
        }
    }

    /** Promotes the nodes that wait for this line no longer, and those that waited for them in turn. */
    private void review(EntityQueue<K, I, R> changed) {
        ArrayDeque<EntityQueue<K, I, R>> open = new ArrayDeque<>();
        for (EntityQueue<K, I, R> queue = changed; queue != null; queue = open.poll()) {
            ItemGroup<K, I, R> group = queue.firstParked();
            if (group != null && isFree(group)) {
                heads.promote(group);
                open.addAll(unpark(group));
            }
            BufferedItem<K, I, R> first = entities.first(queue.entity);
            if (first != null && !first.headed && queue.admits(first)) {
                heads.promote(first);
            }
            if (queue.isEmpty()) {
                queues.remove(queue.entity);
            }
        }
    }

    /** The entities of one batch, reserved until a time, and what of the batch is sent again then; under the engine's lock. */
    static final class EntityReservation<K, I, R> {

        final Lane<K, I, R> lane;
        final List<GuardedKey> entities;
        final long until;
        final ArrayDeque<BatchPart<K, I, R>> chunks = new ArrayDeque<>(0);

        EntityReservation(Lane<K, I, R> lane, List<GuardedKey> entities, long until) {
            this.lane = lane;
            this.entities = entities;
            this.until = until;
        }
    }

    /** The queue of one entity of a lane that something keeps back; under the engine's lock. */
    private static final class EntityQueue<K, I, R> {

        final GuardedKey entity;

        /** Keeps the entity reserved. */
        @Nullable
        EntityReservation<K, I, R> reservation;

        /** The reason why the outcome of the item before the reservation is unknown. */
        @Nullable
        Throwable unknown;

        private @Nullable TreeSet<ItemGroup<K, I, R>> parked;

        EntityQueue(GuardedKey entity) {
            this.entity = entity;
        }

        void park(ItemGroup<K, I, R> group) {
            if (parked == null) {
                parked = new TreeSet<>(Comparator.<ItemGroup<K, I, R>>comparingLong(each -> each.seq));
            }
            parked.add(group);
        }

        void unpark(ItemGroup<K, I, R> group) {
            if (parked != null && parked.remove(group) && parked.isEmpty()) {
                parked = null;
            }
        }

        @Nullable
        ItemGroup<K, I, R> firstParked() {
            return parked == null ? null : parked.first();
        }

        Iterable<ItemGroup<K, I, R>> parked() {
            return parked == null ? List.of() : parked;
        }

        /** Returns whether a node of this entity may be sent before the parked and reserved ones. */
        boolean admits(QueueNode<K, I, R> node) {
            ItemGroup<K, I, R> group = firstParked();
            return reservation == null && (group == null || group.seq >= node.seq);
        }

        boolean isEmpty() {
            return reservation == null && parked == null;
        }
    }

    /**
     * The nodes of a lane that may be sent next, in the order of their coming. One that had to wait is promoted to its own
     * place when it may go; such nodes stand in a tree, all others in a ring, so that a cut never walks over nodes that
     * it cannot take.
     */
    private static final class LaneHeads<K, I, R> {

        private static final Comparator<QueueNode<?, ?, ?>> BY_SEQ = Comparator.comparingLong(node -> node.seq);

        private @Nullable TreeSet<QueueNode<K, I, R>> promoted;
        private final HeadsInOrder<K, I, R> inOrder = new HeadsInOrder<>();
        private int weight;

        int weight() {
            return weight;
        }

        int size() {
            return inOrder.size() + (promoted == null ? 0 : promoted.size());
        }

        /** Adds a node that is newer than all others. */
        void add(QueueNode<K, I, R> node) {
            node.headed = true;
            weight += node.weight;
            inOrder.add(node);
        }

        /** Adds a node at the place of its coming. */
        void promote(QueueNode<K, I, R> node) {
            node.headed = true;
            weight += node.weight;
            node.promoted = true;
            if (promoted == null) {
                promoted = new TreeSet<>(BY_SEQ);
            }
            promoted.add(node);
        }

        @Nullable
        QueueNode<K, I, R> first() {
            QueueNode<K, I, R> head = inOrder.first();
            if (promoted == null || promoted.isEmpty()) {
                return head;
            }
            QueueNode<K, I, R> oldest = promoted.first();
            return head == null || oldest.seq < head.seq ? oldest : head;
        }

        void remove(QueueNode<K, I, R> node) {
            node.headed = false;
            weight -= node.weight;
            if (promoted != null && node.promoted) {
                node.promoted = false;
                promoted.remove(node);
            } else {
                inOrder.remove(node);
            }
        }

        void forEach(Consumer<QueueNode<K, I, R>> action) {
            inOrder.forEach(action);
            if (promoted != null) {
                promoted.forEach(action);
            }
        }
    }

    /** The nodes that never had to wait. */
    private static final class HeadsInOrder<K, I, R> extends NodeRing<QueueNode<K, I, R>> {

        private static final int ROOM = 4;

        HeadsInOrder() {
            super(ROOM);
        }

        @Override
        protected int place(QueueNode<K, I, R> node) {
            return node.headPlace;
        }

        @Override
        protected void place(QueueNode<K, I, R> node, int place) {
            node.headPlace = place;
        }
    }
}
