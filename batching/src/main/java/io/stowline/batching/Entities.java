package io.stowline.batching;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is queued in a lane by entity, in order; under the engine's lock.
 *
 * <p>A hash table of the first item of each entity, the others of which hang on it. Its chains run through the items, so that an
 * item costs no more than a slot.
 */
final class Entities<K, I, R> {

    private static final int LEAST = 4;

    /** As many chains as a power of two. */
    private @Nullable Entry<K, I, R>[] chains = chains(LEAST);

    private int size;

    /** The first queued item of an entity. */
    @Nullable
    Entry<K, I, R> first(Named entity) {
        return find(entity, Entry.hash(entity));
    }

    /** The last queued item of an entity. */
    @Nullable
    Entry<K, I, R> last(Named entity) {
        Entry<K, I, R> first = first(entity);
        return first == null ? null : first.prevSame;
    }

    /** Queues an item behind all of its entity; true when there are none. */
    boolean append(Entry<K, I, R> entry) {
        Entry<K, I, R> first = find(entry.entity, entry.hash);
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
    Entry<K, I, R> remove(Entry<K, I, R> entry) {
        Entry<K, I, R> next = entry.nextSame;
        Entry<K, I, R> previous = entry.prevSame;
        boolean first = previous.nextSame != entry;
        entry.nextSame = null;
        entry.prevSame = entry;
        if (first) {
            replace(entry, next);
        } else {
            previous.nextSame = next;
        }
        Entry<K, I, R> behind = next == null && !first ? find(entry.entity, entry.hash) : next;
        if (behind != null) {
            behind.prevSame = previous;
        }
        return first ? next : null;
    }

    void forEach(Consumer<? super Entry<K, I, R>> action) {
        for (Entry<K, I, R> chain : chains) {
            for (Entry<K, I, R> first = chain; first != null; first = first.nextInChain) {
                for (Entry<K, I, R> entry = first; entry != null; entry = entry.nextSame) {
                    action.accept(entry);
                }
            }
        }
    }

    private @Nullable Entry<K, I, R> find(Named entity, int hash) {
        Entry<K, I, R> entry = chains[hash & (chains.length - 1)];
        while (entry != null && (entry.hash != hash || !entity.equals(entry.entity))) {
            entry = entry.nextInChain;
        }
        return entry;
    }

    private void insert(Entry<K, I, R> entry) {
        if (size == chains.length) {
            spread();
        }
        size++;
        link(entry);
    }

    private void link(Entry<K, I, R> entry) {
        int chain = entry.hash & (chains.length - 1);
        entry.nextInChain = chains[chain];
        chains[chain] = entry;
    }

    /** Puts the next item of the same entity, or none, in the place of the first one. */
    private void replace(Entry<K, I, R> first, @Nullable Entry<K, I, R> next) {
        int chain = first.hash & (chains.length - 1);
        Entry<K, I, R> before = chains[chain] == first ? null : chains[chain];
        while (before != null && before.nextInChain != first) {
            before = before.nextInChain;
        }
        if (before == null) {
            chains[chain] = first.nextInChain;
        } else {
            before.nextInChain = first.nextInChain;
        }
        first.nextInChain = null;
        if (next == null) {
            size--;
        } else {
            link(next);
        }
    }

    private void spread() {
        @Nullable Entry<K, I, R>[] old = chains;
        chains = chains(2 * old.length);
        for (Entry<K, I, R> chain : old) {
            Entry<K, I, R> next;
            for (Entry<K, I, R> entry = chain; entry != null; entry = next) {
                next = entry.nextInChain;
                link(entry);
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, I, R> @Nullable Entry<K, I, R>[] chains(int count) {
        return new Entry[count];
    }
}
