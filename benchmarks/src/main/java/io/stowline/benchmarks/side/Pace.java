package io.stowline.benchmarks.side;

/**
 * The rounds of each contender, and their length.
 *
 * @param rounds that are measured
 * @param warmUps rounds before them, at least
 * @param seconds of a round
 */
public record Pace(int rounds, int warmUps, double seconds) {

    private static final int MIN_BOUND = 20;
    private static final int PATIENCE = 4;

    public Pace {
        check("--rounds", rounds, 1);
        check("--warm-ups", warmUps, 0);
        check("--seconds", seconds, 0.01);
    }

    /** Returns the most rounds before those that count, if the compiler does not become quiet. */
    int maxWarmUps() {
        return Math.max(MIN_BOUND, PATIENCE * warmUps);
    }

    long nanos() {
        return (long) (seconds * 1e9);
    }

    static void check(String name, double value, double min) {
        if (!(value >= min)) {
            throw new IllegalArgumentException(name + " is at least " + min + ", not " + value);
        }
    }
}
