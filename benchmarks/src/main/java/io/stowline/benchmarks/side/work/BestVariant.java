package io.stowline.benchmarks.side.work;

/** The better of two ways to do the same. The first rounds, which should be warm-ups, try both; the last of these decides. */
public final class BestVariant implements Task {

    public static final int TRIALS = 3;

    private final Task one;
    private final Task other;
    private int trials;
    private boolean otherIsBetter;

    public BestVariant(Task one, Task other) {
        this.one = one;
        this.other = other;
    }

    @Override
    public Done run(long nanos) throws Exception {
        if (trials == TRIALS) {
            return (otherIsBetter ? other : one).run(nanos);
        }
        trials++;
        long began = System.nanoTime();
        Done first = one.run(nanos / 2);
        long middle = System.nanoTime();
        Done second = other.run(nanos / 2);
        otherIsBetter = rate(second, System.nanoTime() - middle) > rate(first, middle - began);
        return Done.of(first.items() + second.items());
    }

    private static double rate(Done done, long nanos) {
        return (double) done.items() / nanos;
    }
}
