package io.stowline.advisor.internal.evidence;

import java.util.Arrays;

/**
 * A Space-Saving sketch: the keys with the largest weights of a stream, in a fixed number of counters. Of a stream of weight N, the
 * weight of each key is overestimated by at most N / counters, and every key above that share has a counter. Not thread-safe.
 */
public final class HeavyHitters {

    private final long[] keys;
    private final int[] owners;
    private final long[] weights;
    private final long[] errors;
    private final long[] attempts;
    private final long[] throttled;
    private final long[] beside;
    private int size;
    private long total;

    /**
     * Makes an empty sketch.
     *
     * @param counters how many keys have a counter at a time
     */
    public HeavyHitters(int counters) {
        this.keys = new long[counters];
        this.owners = new int[counters];
        this.weights = new long[counters];
        this.errors = new long[counters];
        this.attempts = new long[counters];
        this.throttled = new long[counters];
        this.beside = new long[counters];
    }

    /**
     * Adds an attempt.
     *
     * @param key the hash of the key
     * @param owner the number of its container
     * @param weight the weight that ranks it, 0 or more
     * @param refused whether the service refused it for load
     * @param other what is summed beside the weight, such as the bytes that it moved
     */
    public void add(long key, int owner, long weight, boolean refused, long other) {
        int at = counter(key, owner);
        total += weight;
        weights[at] += weight;
        attempts[at]++;
        throttled[at] += refused ? 1 : 0;
        beside[at] += other;
    }

    /**
     * Adds to the sum beside the weight of a key, if it has a counter.
     *
     * @param key the hash of the key
     * @param number how much, 0 or more
     */
    public void addBeside(long key, long number) {
        for (int i = 0; i < size; i++) {
            if (keys[i] == key) {
                beside[i] += number;
                return;
            }
        }
    }

    /** One pass finds the key, or else the least counter. The rest of a replaced key's weight is the error of the new one. */
    private int counter(long key, int owner) {
        int least = 0;
        for (int i = 0; i < size; i++) {
            if (keys[i] == key) {
                return i;
            }
            if (weights[i] < weights[least]) {
                least = i;
            }
        }
        if (size < keys.length) {
            keys[size] = key;
            owners[size] = owner;
            return size++;
        }
        keys[least] = key;
        owners[least] = owner;
        errors[least] = weights[least];
        attempts[least] = 0;
        throttled[least] = 0;
        beside[least] = 0;
        return least;
    }

    /** Forgets the stream. */
    public void clear() {
        Arrays.fill(weights, 0);
        Arrays.fill(errors, 0);
        Arrays.fill(attempts, 0);
        Arrays.fill(throttled, 0);
        Arrays.fill(beside, 0);
        size = 0;
        total = 0;
    }

    /** Returns how many keys have a counter. */
    public int size() {
        return size;
    }

    /** Returns the weight of the stream. */
    public long total() {
        return total;
    }

    /** Returns the key of a counter. */
    public long key(int counter) {
        return keys[counter];
    }

    /** Returns the number of the container of a counter's key. */
    public int owner(int counter) {
        return owners[counter];
    }

    /** Returns the least weight that the key of a counter can have. */
    public long least(int counter) {
        return weights[counter] - errors[counter];
    }

    /** Returns the largest weight that the key of a counter can have. */
    public long greatest(int counter) {
        return weights[counter];
    }

    /** Returns the attempts of a counter's key since it has the counter. */
    public long attempts(int counter) {
        return attempts[counter];
    }

    /** Returns the attempts of a counter's key that the service refused for load. */
    public long throttled(int counter) {
        return throttled[counter];
    }

    /** Returns the sum beside the weight of a counter's key. */
    public long beside(int counter) {
        return beside[counter];
    }
}
