package io.stowline.advisor.internal.evidence;

/**
 * The last keys that were seen, with a value and a time for each. Each key has one place, which a later key of the same place takes:
 * what it has forgotten counts as not seen. Not thread-safe.
 */
final class RecentKeys {

    private final long[] keys;
    private final long[] values;
    private final long[] times;
    private final int mask;

    /**
     * Makes an empty memory.
     *
     * @param places how many keys it remembers at best, a power of two
     */
    RecentKeys(int places) {
        this.keys = new long[places];
        this.values = new long[places];
        this.times = new long[places];
        this.mask = places - 1;
    }

    void put(long key, long value, long millis) {
        int at = (int) key & mask;
        keys[at] = key;
        values[at] = value;
        times[at] = millis;
    }

    void remove(long key) {
        int at = (int) key & mask;
        if (keys[at] == key) {
            keys[at] = 0;
        }
    }

    boolean hasSince(long key, long millis) {
        int at = (int) key & mask;
        return keys[at] == key && times[at] >= millis;
    }

    /** Returns the value of a key that it has. */
    long value(long key) {
        return values[(int) key & mask];
    }
}
