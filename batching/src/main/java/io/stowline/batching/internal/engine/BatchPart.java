package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.engine.DeliveryDeadlines.ItemExpiry;
import io.stowline.batching.internal.engine.InFlightBatch.BatchPayload;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Items that are sent together as they are: a batch, or what is left of one. */
final class BatchPart<K, I, R> implements BatchPayload<K, I, R> {

    /** How many items of the batch that this is a part of have failed alone. */
    final int culprits;

    private final List<BufferedItem<K, I, R>> entries;

    BatchPart(List<BufferedItem<K, I, R>> entries, int culprits) {
        this.entries = entries;
        this.culprits = culprits;
    }

    List<BufferedItem<K, I, R>> entries() {
        return entries;
    }

    /** Whether nothing is left to be sent. */
    @Override
    public boolean isOver() {
        for (BufferedItem<K, I, R> entry : entries) {
            if (entry.state != QueueNode.State.TERMINAL) {
                return false;
            }
        }
        return true;
    }

    /** Drops what was cancelled or failed while it was queued; false when nothing is left. */
    boolean prune() {
        entries.removeIf(entry -> entry.state == QueueNode.State.TERMINAL);
        return !entries.isEmpty();
    }

    @Override
    public List<I> items() {
        return new Items<>(entries);
    }

    @Override
    public int size() {
        return entries.size();
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
    public @Nullable ItemExpiry<K, I, R> firstDue() {
        ItemExpiry<K, I, R> first = null;
        for (BufferedItem<K, I, R> entry : entries) {
            ItemExpiry<K, I, R> expiry = entry.expiry;
            first = expiry != null && (first == null || expiry.due < first.due) ? expiry : first;
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
    public boolean isWanted() {
        for (BufferedItem<K, I, R> entry : entries) {
            if (entry.state != QueueNode.State.TERMINAL && entry.batcher().broken == null) {
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
}
