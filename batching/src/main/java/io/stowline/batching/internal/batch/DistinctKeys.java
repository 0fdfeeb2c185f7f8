package io.stowline.batching.internal.batch;

import org.jspecify.annotations.Nullable;

/**
 * A set of keys that only grows, for the check that a batch has each of its entities once. An open table without a node for each key.
 * Not thread-safe.
 */
public final class DistinctKeys {

    private static final int MIN = 16;
    private static final int GOLDEN_RATIO = 0x9E3779B9;

    /** A power of two, at most half full. */
    private @Nullable Object[] slots = new Object[MIN];

    private int size;

    /** Makes an empty set. */
    public DistinctKeys() {}

    /**
     * Adds a key.
     *
     * @param key the key, with {@code equals} and {@code hashCode} by value
     * @return false when the set has an equal one
     */
    public boolean add(Object key) {
        int slot = place(slots, key);
        if (slots[slot] != null) {
            return false;
        }
        slots[slot] = key;
        if (2 * ++size > slots.length) {
            grow();
        }
        return true;
    }

    private void grow() {
        @Nullable Object[] wider = new Object[2 * slots.length];
        for (Object key : slots) {
            if (key != null) {
                wider[place(wider, key)] = key;
            }
        }
        slots = wider;
    }

    /** Returns the slot of an equal key, or the one for the key. */
    private static int place(@Nullable Object[] slots, Object key) {
        int slot = (key.hashCode() * GOLDEN_RATIO) >>> (1 + Integer.numberOfLeadingZeros(slots.length));
        for (Object there = slots[slot]; there != null && !key.equals(there); there = slots[slot]) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }
}
