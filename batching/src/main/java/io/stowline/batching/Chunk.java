package io.stowline.batching;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Items that are sent together as they are: a batch, or what is left of one. */
final class Chunk<K, I, R> implements Load<K, I, R> {

    /** How many items of the batch that this is a part of have failed alone. */
    final int culprits;

    private final List<Entry<K, I, R>> entries;

    Chunk(List<Entry<K, I, R>> entries, int culprits) {
        this.entries = entries;
        this.culprits = culprits;
    }

    List<Entry<K, I, R>> entries() {
        return entries;
    }

    /** Whether nothing is left to be sent. */
    boolean isOver() {
        for (Entry<K, I, R> entry : entries) {
            if (entry.state != Node.State.TERMINAL) {
                return false;
            }
        }
        return true;
    }

    /** Drops what was cancelled or failed while it was queued; false when nothing is left. */
    boolean prune() {
        entries.removeIf(entry -> entry.state == Node.State.TERMINAL);
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
    public List<Named> entities() {
        List<Named> entities = new ArrayList<>(entries.size());
        for (Entry<K, I, R> entry : entries) {
            entities.add(entry.entity);
        }
        return entities;
    }

    @Override
    public @Nullable Expiry<K, I, R> firstDue() {
        Expiry<K, I, R> first = null;
        for (Entry<K, I, R> entry : entries) {
            Expiry<K, I, R> expiry = entry.expiry;
            first = expiry != null && (first == null || expiry.due < first.due) ? expiry : first;
        }
        return first;
    }

    @Override
    public List<Batcher<K, I, R>> writers() {
        Batcher<K, I, R> first = entries.get(0).batcher();
        for (Entry<K, I, R> entry : entries) {
            if (entry.batcher() != first) {
                Set<Batcher<K, I, R>> all = new LinkedHashSet<>();
                entries.forEach(each -> all.add(each.batcher()));
                return List.copyOf(all);
            }
        }
        return List.of(first);
    }

    @Override
    public boolean isWanted() {
        for (Entry<K, I, R> entry : entries) {
            if (entry.state != Node.State.TERMINAL && entry.batcher().broken == null) {
                return true;
            }
        }
        return false;
    }

    /** The items of entries, which change neither while the chunk is in flight. */
    private static final class Items<I> extends AbstractList<I> implements RandomAccess {

        private final List<? extends Entry<?, I, ?>> entries;

        Items(List<? extends Entry<?, I, ?>> entries) {
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
