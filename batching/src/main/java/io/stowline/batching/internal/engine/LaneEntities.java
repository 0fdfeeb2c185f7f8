package io.stowline.batching.internal.engine;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is queued in a lane by entity, in order; under the engine's lock.
 *
 * <p>A hash table of the first item of each entity, the others of which hang on it. Its chains run through the items, so that an
 * item costs no more than a slot.
 */
final class LaneEntities<K, I, R> {

    private static final int LEAST = 4;

    /** As many chains as a power of two. */
    private @Nullable BufferedItem<K, I, R>[] chains = chains(LEAST);

    private int size;

    /** The first queued item of an entity. */
    @Nullable
    BufferedItem<K, I, R> first(GuardedKey entity) {
        return find(entity, BufferedItem.hash(entity));
    }

    /** The last queued item of an entity. */
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
        for (BufferedItem<K, I, R> chain : chains) {
            for (BufferedItem<K, I, R> first = chain; first != null; first = first.nextInChain) {
                for (BufferedItem<K, I, R> entry = first; entry != null; entry = entry.nextSame) {
                    action.accept(entry);
                }
            }
        }
    }

    private @Nullable BufferedItem<K, I, R> find(GuardedKey entity, int hash) {
        BufferedItem<K, I, R> entry = chains[hash & (chains.length - 1)];
        while (entry != null && (entry.hash != hash || !entity.equals(entry.entity))) {
            entry = entry.nextInChain;
        }
        return entry;
    }

    private void insert(BufferedItem<K, I, R> entry) {
        if (size == chains.length) {
            spread();
        }
        size++;
        link(entry);
    }

    private void link(BufferedItem<K, I, R> entry) {
        int chain = entry.hash & (chains.length - 1);
        entry.nextInChain = chains[chain];
        chains[chain] = entry;
    }

    /** Puts the next item of the same entity, or none, in the place of the first one. */
    private void replace(BufferedItem<K, I, R> first, @Nullable BufferedItem<K, I, R> next) {
        int chain = first.hash & (chains.length - 1);
        BufferedItem<K, I, R> before = chains[chain] == first ? null : chains[chain];
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
        @Nullable BufferedItem<K, I, R>[] old = chains;
        chains = chains(2 * old.length);
        for (BufferedItem<K, I, R> chain : old) {
            BufferedItem<K, I, R> next;
            for (BufferedItem<K, I, R> entry = chain; entry != null; entry = next) {
                next = entry.nextInChain;
                link(entry);
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, I, R> @Nullable BufferedItem<K, I, R>[] chains(int count) {
        return new BufferedItem[count];
    }
}
