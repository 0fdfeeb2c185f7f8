package io.stowline.batching;

import java.util.ArrayList;
import java.util.List;

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
        List<I> items = new ArrayList<>(entries.size());
        for (Entry<K, I, R> entry : entries) {
            items.add(entry.item);
        }
        return items;
    }

    @Override
    public List<Object> entities() {
        List<Object> entities = new ArrayList<>(entries.size());
        for (Entry<K, I, R> entry : entries) {
            entities.add(entry.entity);
        }
        return entities;
    }
}
