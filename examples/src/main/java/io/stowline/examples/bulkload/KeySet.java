package io.stowline.examples.bulkload;

/**
 * The keys of the entities so far, as hashes of 64 bits in a table of bounded size, so that a row that would replace an earlier one is
 * found. Used by one thread.
 */
final class KeySet {

    /** How many keys it holds at most; later keys are not compared. */
    static final int CAPACITY = 2_000_000;

    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final int capacity;
    private long[] table = new long[1 << 12];
    private int size;

    KeySet(int capacity) {
        this.capacity = capacity;
    }

    /** Adds a key, and returns false if it was there. */
    boolean add(String partitionKey, String rowKey) {
        if (isFull()) {
            return true;
        }
        if (2 * size >= table.length) {
            grow();
        }
        boolean added = put(table, hash(partitionKey, rowKey));
        size += added ? 1 : 0;
        return added;
    }

    boolean isFull() {
        return size >= capacity;
    }

    private void grow() {
        long[] larger = new long[2 * table.length];
        for (long hash : table) {
            if (hash != 0) {
                put(larger, hash);
            }
        }
        table = larger;
    }

    private static boolean put(long[] table, long hash) {
        int slot = (int) (hash & (table.length - 1));
        while (table[slot] != 0) {
            if (table[slot] == hash) {
                return false;
            }
            slot = (slot + 1) & (table.length - 1);
        }
        table[slot] = hash;
        return true;
    }

    private static long hash(String partitionKey, String rowKey) {
        long hash = mixed(mixed(1, partitionKey) ^ partitionKey.length(), rowKey);
        return hash == 0 ? 1 : hash; // zero marks an empty slot
    }

    private static long mixed(long seed, String text) {
        long hash = seed;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * MULTIPLIER;
            hash ^= hash >>> 32;
        }
        return hash;
    }
}
