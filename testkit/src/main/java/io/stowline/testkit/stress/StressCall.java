package io.stowline.testkit.stress;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** One call of an operation: the keys that it should use, and the reports that it may make. Used by one call. */
public final class StressCall {

    private final String partition;
    private final long number;
    private final long preloaded;
    private final SplittableRandom random;
    private volatile int entities;
    private volatile boolean throttled;

    StressCall(String partition, long number, long preloaded, long seed, int entities) {
        this.partition = partition;
        this.number = number;
        this.preloaded = preloaded;
        this.random = new SplittableRandom(seed);
        this.entities = entities;
    }

    /**
     * Returns the partition of the call.
     *
     * @return the partition key
     */
    public String partition() {
        return partition;
    }

    /**
     * Returns a number for the key of a new entity.
     *
     * @return in the preload, the number of a row in its partition from 0; later, a number that no other call has
     */
    public long number() {
        return number;
    }

    /**
     * Returns the number of a row of the partition that the preload has written, drawn at random.
     *
     * @return a number from 0, below the number of preloaded rows
     * @throws IllegalStateException if nothing was preloaded
     */
    public long preloaded() {
        if (preloaded == 0) {
            throw new IllegalStateException("the stress test has no preload, whose rows a call could read");
        }
        return random.nextLong(preloaded);
    }

    /**
     * Returns random numbers that depend on the seed of the test and the number of the call only.
     *
     * @return the numbers
     */
    public RandomGenerator random() {
        return random;
    }

    /**
     * Reports how many entities the call read or wrote, where {@link StressOperation#entities} is an estimate only.
     *
     * @param number the number of entities, at least 0
     */
    public void entities(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("a call of " + number + " entities; at least 0 are needed");
        }
        entities = number;
    }

    /**
     * Reports that the service refused a request of this call for its load, although the call may succeed later: for clients that retry.
     */
    public void throttled() {
        throttled = true;
    }

    int entities() {
        return entities;
    }

    boolean isThrottled() {
        return throttled;
    }
}
