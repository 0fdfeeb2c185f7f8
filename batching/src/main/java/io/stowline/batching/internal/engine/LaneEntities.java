package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.GuardedKey;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The queued items of a lane by entity, in order; under the engine's lock.
 *
 * <p>A hash table of the first item of each entity, to which the others are linked. It is open and at most half full, with the hashes in
 * an array, so that a search reads only items of its hash.
 */
final class LaneEntities<K, I, R> {

    private static final int MIN = 8;
    private static final int GOLDEN_RATIO = 0x9E3779B9;

    /** A power of two. */
    private @Nullable BufferedItem<K, I, R>[] firsts = slots(MIN);

    private int[] hashes = new int[MIN];

    private int size;

    /** Returns the first queued item of an entity. */
    @Nullable
    BufferedItem<K, I, R> first(GuardedKey entity) {
        return find(entity, BufferedItem.hash(entity));
    }

    /** Returns the last queued item of an entity. */
    @Nullable
    BufferedItem<K, I, R> last(GuardedKey entity) {
        BufferedItem<K, I, R> first = first(entity);
        return first == null ? null : first.prevSame;
    }

    /** Queues an item behind all of its entity; true when there are none. */
    boolean append(BufferedItem<K, I, R> entry) {
        BufferedItem<K, I, R> first = find(entry.entity, entry.hash);
        if (first == null) {
            insert(entry);
            return true;
        }
        entry.entity = first.entity;
        first.prevSame.nextSame = entry;
        entry.prevSame = first.prevSame;
        first.prevSame = entry;
        return false;
    }

    /** Removes an item; returns the one that has become the first of its entity by that. */
    @Nullable
    BufferedItem<K, I, R> remove(BufferedItem<K, I, R> entry) {
        BufferedItem<K, I, R> next = entry.nextSame;
        BufferedItem<K, I, R> previous = entry.prevSame;
        boolean first = previous.nextSame != entry;
        entry.nextSame = null;
        entry.prevSame = entry;
        if (first) {
            replace(entry, next);
        } else {
            previous.nextSame = next;
        }
        BufferedItem<K, I, R> behind = next == null && !first ? find(entry.entity, entry.hash) : next;
        if (behind != null) {
            behind.prevSame = previous;
        }
        return first ? next : null;
    }

    void forEach(Consumer<? super BufferedItem<K, I, R>> action) {
        for (BufferedItem<K, I, R> first : firsts) {
            for (BufferedItem<K, I, R> entry = first; entry != null; entry = entry.nextSame) {
                action.accept(entry);
            }
        }
    }

    private @Nullable BufferedItem<K, I, R> find(GuardedKey entity, int hash) {
        int slot = home(hash);
        BufferedItem<K, I, R> entry = firsts[slot];
        while (entry != null && (hashes[slot] != hash || !entity.equals(entry.entity))) {
            slot = behind(slot);
            entry = firsts[slot];
        }
        return entry;
    }

    private void insert(BufferedItem<K, I, R> entry) {
        if (2 * size == firsts.length) {
            grow();
        }
        size++;
        put(entry, entry.hash);
    }

    private void put(BufferedItem<K, I, R> entry, int hash) {
        int slot = home(hash);
        while (firsts[slot] != null) {
            slot = behind(slot);
        }
        firsts[slot] = entry;
        hashes[slot] = hash;
    }

    private void replace(BufferedItem<K, I, R> first, @Nullable BufferedItem<K, I, R> next) {
        int slot = home(first.hash);
        while (firsts[slot] != first) {
            if (firsts[slot] == null) {
                throw new IllegalStateException("the item is not the first of its entity");
            }
            slot = behind(slot);
        }
        if (next == null) {
            size--;
            vacate(slot);
        } else {
            firsts[slot] = next;
        }
    }

    /** Empties a slot, and moves up what a search would not find behind the gap. */
    private void vacate(int slot) {
        int gap = slot;
        for (int from = behind(gap); firsts[from] != null; from = behind(from)) {
            if (distance(home(hashes[from]), from) >= distance(gap, from)) {
                firsts[gap] = firsts[from];
                hashes[gap] = hashes[from];
                gap = from;
            }
        }
        firsts[gap] = null;
    }

    private void grow() {
        @Nullable BufferedItem<K, I, R>[] old = firsts;
        int[] oldHashes = hashes;
        firsts = slots(2 * old.length);
        hashes = new int[2 * old.length];
        for (int slot = 0; slot < old.length; slot++) {
            BufferedItem<K, I, R> entry = old[slot];
            if (entry != null) {
                put(entry, oldHashes[slot]);
            }
        }
    }

    /** Spreads the hashes: those that differ little begin far apart. */
    private int home(int hash) {
        return (hash * GOLDEN_RATIO) >>> (1 + Integer.numberOfLeadingZeros(firsts.length));
    }

    private int behind(int slot) {
        return (slot + 1) & (firsts.length - 1);
    }

    private int distance(int from, int to) {
        return (to - from) & (firsts.length - 1);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, I, R> @Nullable BufferedItem<K, I, R>[] slots(int count) {
        return new BufferedItem[count];
    }
}
