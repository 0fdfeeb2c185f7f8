package io.stowline.testkit.stress;

import java.util.List;
import java.util.SplittableRandom;

/** The operations of a load in the order of their calls, by their weights. Immutable. */
final class LoadMix {

    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    private final List<StressOperation> operations;
    private final long seed;
    private final int weights;
    private final double offset;

    LoadMix(List<StressOperation> operations, long seed) {
        this.operations = List.copyOf(operations);
        this.seed = seed;
        this.offset = new SplittableRandom(seed).nextDouble();
        this.weights = operations.stream().mapToInt(StressOperation::weight).sum();
    }

    List<StressOperation> operations() {
        return operations;
    }

    /** Returns how many entities a call has on average. */
    double entities() {
        return operations.stream()
                        .mapToDouble(operation -> (double) operation.weight() * operation.entities())
                        .sum()
                / weights;
    }

    /**
     * Returns the place of the operation of a call. The multiples of the golden ratio fill the weights evenly, so that a step has each
     * operation by its share, which drawn ones have on average only.
     */
    int place(long number) {
        double share = number * GOLDEN + offset;
        int drawn = (int) ((share - Math.floor(share)) * weights);
        int place = 0;
        while (drawn >= operations.get(place).weight()) {
            drawn -= operations.get(place).weight();
            place++;
        }
        return place;
    }

    /** Returns the seed of a call. */
    long seed(long number) {
        return seed + 31 * number;
    }
}
