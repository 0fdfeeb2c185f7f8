package io.stowline.blob.internal.replica;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An order of copies by rendezvous hashing: each instance ranks all copies, so that their first choices, and their second ones after a failure, spread
 * evenly.
 */
final class ReplicaOrder {

    private static final long STEP = 0x9E3779B97F4A7C15L;

    private ReplicaOrder() {}

    /** Returns the indices of the copies in the order in which an instance reads them. */
    static List<Integer> of(long seed, String name, int copies) {
        long instance = mixed(seed + STEP * name.hashCode());
        return IntStream.range(0, copies)
                .boxed()
                .sorted(Comparator.comparingLong(copy -> mixed(instance + STEP * (copy + 1))))
                .toList();
    }

    /** Returns the share of the time of a staggered start that an instance waits, from 0 to below 1. */
    static double startOf(long seed) {
        return (mixed(seed) >>> 11) * 0x1.0p-53;
    }

    /** The finalizer of MurmurHash3: each bit of the input changes half of the output. */
    private static long mixed(long bits) {
        long hash = bits;
        hash = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return hash ^ (hash >>> 33);
    }
}
