package io.stowline.benchmarks.side;

/**
 * How often and how long each contender works.
 *
 * @param rounds that are measured
 * @param warmUps rounds before them
 * @param seconds of a round
 */
record Pace(int rounds, int warmUps, double seconds) {

    Pace {
        check("--rounds", rounds, 1);
        check("--warm-ups", warmUps, 0);
        check("--seconds", seconds, 0.01);
    }

    long nanos() {
        return (long) (seconds * 1e9);
    }

    static void check(String name, double value, double least) {
        if (!(value >= least)) {
            throw new IllegalArgumentException(name + " is at least " + least + ", not " + value);
        }
    }
}
