package io.stowline.retry;

import java.util.random.RandomGenerator;

/** A random source that gives the draws of a test one after the other, and the last one for ever. */
public final class Draws implements RandomGenerator {

    private final double[] draws;
    private int next;

    public Draws(double... draws) {
        this.draws = draws;
    }

    int used() {
        return next;
    }

    @Override
    public double nextDouble() {
        return draws[Math.min(next++, draws.length - 1)];
    }

    @Override
    public long nextLong() {
        throw new UnsupportedOperationException("only doubles are drawn");
    }
}
