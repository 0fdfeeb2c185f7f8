package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.engine.InFlightBatch.BatchPayload;
import io.stowline.batching.internal.engine.LaneQueue.EntityReservation;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Items that are sent together as they are: a batch, or what is left of one. */
final class BatchPart<K, I, R> implements BatchPayload<K, I, R> {

    /** The number of items of the batch that failed alone. */
    final int culprits;

    private final List<BufferedItem<K, I, R>> entries;

    BatchPart(List<BufferedItem<K, I, R>> entries, int culprits) {
        this.entries = entries;
        this.culprits = culprits;
    }

    List<BufferedItem<K, I, R>> entries() {
        return entries;
    }

    /** Drops what was cancelled or failed while it was queued; false when nothing is left. */
    boolean prune() {
        entries.removeIf(entry -> entry.state == QueueNode.NodeState.TERMINAL);
        return !entries.isEmpty();
    }

    @Override
    public List<I> items() {
        return new Items<>(entries);
    }

    @Override
    public int weight() {
        int weight = 0;
        for (BufferedItem<K, I, R> entry : entries) {
            weight += entry.weight;
        }
        return weight;
    }

    @Override
    public int heaviest() {
        int heaviest = 1;
        for (BufferedItem<K, I, R> entry : entries) {
            heaviest = Math.max(heaviest, entry.weight);
        }
        return heaviest;
    }

    @Override
    public List<GuardedKey> entities() {
        List<GuardedKey> entities = new ArrayList<>(entries.size());
        for (BufferedItem<K, I, R> entry : entries) {
            entities.add(entry.entity);
        }
        return entities;
    }

    @Override
    public @Nullable QueueNode<K, I, R> firstDue() {
        QueueNode<K, I, R> first = null;
        for (BufferedItem<K, I, R> entry : entries) {
            first = entry.expiries != null && (first == null || entry.expiry < first.expiry) ? entry : first;
        }
        return first;
    }

    @Override
    public List<EngineBatcher<K, I, R>> writers() {
        EngineBatcher<K, I, R> first = entries.get(0).batcher();
        for (BufferedItem<K, I, R> entry : entries) {
            if (entry.batcher() != first) {
                Set<EngineBatcher<K, I, R>> all = new LinkedHashSet<>();
                entries.forEach(each -> all.add(each.batcher()));
                return List.copyOf(all);
            }
        }
        return List.of(first);
    }

    @Override
    public boolean wantsAttempt(boolean due) {
        for (BufferedItem<K, I, R> entry : entries) {
            if (entry.state != QueueNode.NodeState.TERMINAL && (due || entry.batcher().broken == null)) {
                return true;
            }
        }
        return false;
    }

    /** The items of entries, which change neither while the chunk is in flight. */
    private static final class Items<I> extends AbstractList<I> implements RandomAccess {

        private final List<? extends BufferedItem<?, I, ?>> entries;

        Items(List<? extends BufferedItem<?, I, ?>> entries) {
            this.entries = entries;
        }

        @Override
        public I get(int index) {
            return entries.get(index).item;
        }

        @Override
        public int size() {
            return entries.size();
        }
    }

    /** The rest of a lane's ended batches: items that are sent again, and reservations; under the engine's lock. */
    static final class ResendQueue<K, I, R> {

        private final ArrayDeque<BatchPart<K, I, R>> chunks = new ArrayDeque<>(0);
        private final Set<EntityReservation<K, I, R>> reservations = new LinkedHashSet<>(0);
        private int items;

        /** Returns the number of items that are sent again, now or at the end of a reservation. */
        int items() {
            return items;
        }

        boolean hasReservations() {
            return !reservations.isEmpty();
        }

        boolean hasChunks() {
            while (!chunks.isEmpty() && !chunks.getFirst().wantsAttempt(true)) {
                chunks.removeFirst();
            }
            return !chunks.isEmpty();
        }

        /** Takes what is sent next; null when there is nothing. */
        @Nullable
        BatchPart<K, I, R> poll() {
            if (!hasChunks()) {
                return null;
            }
            BatchPart<K, I, R> chunk = chunks.removeFirst();
            chunk.prune();
            items -= chunk.entries().size();
            return chunk;
        }

        /** Puts back what is sent again before all others, at once or when a reservation has ended. */
        void push(BatchPart<K, I, R> chunk, @Nullable EntityReservation<K, I, R> reservation) {
            items += chunk.entries().size();
            (reservation == null ? chunks : reservation.chunks).addFirst(chunk);
        }

        /** Notes that one of the items is gone. */
        void remove() {
            items--;
        }

        void add(EntityReservation<K, I, R> reservation) {
            reservations.add(reservation);
        }

        void release(EntityReservation<K, I, R> reservation) {
            reservations.remove(reservation);
            while (!reservation.chunks.isEmpty()) {
                chunks.addFirst(reservation.chunks.removeLast());
            }
        }

        void forEach(Consumer<? super BufferedItem<K, I, R>> action) {
            chunks.forEach(chunk -> chunk.entries().forEach(action));
            reservations.forEach(reservation ->
                    reservation.chunks.forEach(chunk -> chunk.entries().forEach(action)));
        }
    }
}
