package io.stowline.batching;

/**
 * The hard limits of one batch, never exceeded: its bytes are {@code envelope} plus the exact sizes of its items.
 *
 * @param maxItems the most items of a batch, 1 to 100,000
 * @param maxBytes the most bytes of a batch, at least 1
 * @param envelope the bytes that a batch takes without its items, 0 to below {@code maxBytes}
 */
public record BatchLimits(int maxItems, int maxBytes, int envelope) {

    private static final int MOST_ITEMS = 100_000;

    /**
     * Makes the limits.
     *
     * @param maxItems the most items of a batch
     * @param maxBytes the most bytes of a batch
     * @param envelope the bytes that a batch takes without its items
     * @throws IllegalArgumentException if a number is out of range
     */
    public BatchLimits {
        Bounds.between("maxItems", maxItems, 1, MOST_ITEMS);
        Bounds.between("maxBytes", maxBytes, 1, Integer.MAX_VALUE);
        Bounds.between("envelope", envelope, 0, maxBytes - 1);
    }

    /** The most bytes of all items of a batch. */
    int room() {
        return maxBytes - envelope;
    }
}
