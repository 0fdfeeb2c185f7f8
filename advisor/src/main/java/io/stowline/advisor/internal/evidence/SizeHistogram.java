package io.stowline.advisor.internal.evidence;

import java.util.Arrays;

/** A histogram of times in nanoseconds or of sizes in bytes, whose classes are a sixteenth of a power of two wide. Not thread-safe. */
final class SizeHistogram {

    private static final int STEPS = 16;
    private static final int STEP_BITS = 4;
    private static final int MAX_EXPONENT = 40;

    private final int[] counts = new int[(MAX_EXPONENT - STEP_BITS + 2) * STEPS];
    private long total;

    void add(long value) {
        counts[classOf(value)]++;
        total++;
    }

    void addAll(SizeHistogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
    }

    long total() {
        return total;
    }

    /**
     * Returns a quantile.
     *
     * @param share 0 to 1
     * @return the lower end of the class that it lies in, or 0 without values
     */
    long quantile(double share) {
        long rank = (long) Math.ceil(share * total);
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank && seen > 0) {
                return lowerEnd(i);
            }
        }
        return 0;
    }

    void clear() {
        Arrays.fill(counts, 0);
        total = 0;
    }

    private static int classOf(long value) {
        if (value < STEPS) {
            return (int) Math.max(0, value);
        }
        int exponent = 63 - Long.numberOfLeadingZeros(value);
        if (exponent > MAX_EXPONENT) {
            return (MAX_EXPONENT - STEP_BITS + 2) * STEPS - 1;
        }
        int step = (int) (value >> (exponent - STEP_BITS)) & (STEPS - 1);
        return (exponent - STEP_BITS + 1) * STEPS + step;
    }

    private static long lowerEnd(int index) {
        if (index < STEPS) {
            return index;
        }
        int exponent = index / STEPS + STEP_BITS - 1;
        return (long) (STEPS + index % STEPS) << (exponent - STEP_BITS);
    }
}
