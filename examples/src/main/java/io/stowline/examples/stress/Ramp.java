package io.stowline.examples.stress;

import java.util.OptionalDouble;

/** The rates of the steps for one number of partitions: each higher than the one before, until a step is enough. */
final class Ramp {

    private static final double FACTOR = 1.4;
    private static final int MAX_STEPS = 12;

    private final double highest;
    private double next;
    private int steps;
    private boolean ended;

    /**
     * Begins a ramp.
     *
     * @param first the rate of the first step
     * @param highest the rate above which no step goes
     */
    Ramp(double first, double highest) {
        this.next = Math.min(first, highest);
        this.highest = highest;
    }

    /** Returns the rate of the next step, if there is one. */
    OptionalDouble next() {
        return ended || steps == MAX_STEPS ? OptionalDouble.empty() : OptionalDouble.of(next);
    }

    /** Notes what a step with that rate came to. */
    void take(LoadSample sample) {
        steps++;
        ended = sample.isThrottled() || sample.isHeld() || sample.hasFailed() || next >= highest;
        next = Math.min(next * FACTOR, highest);
    }
}
