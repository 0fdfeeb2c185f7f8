package io.stowline.benchmarks.side.report;

import java.util.Locale;

/**
 * The warm-up of a workload, and what the JIT compiler did at its end.
 *
 * @param rounds of each contender
 * @param compilerShare the compiler's time in the last round of all contenders, as a part of that round's wall time; with several
 *     compiler threads it can exceed 1
 */
public record WarmUp(int rounds, double compilerShare) {

    /** Below this share the compiler counts as quiet. */
    public static final double QUIET = 0.01;

    /** Returns whether the compiler was quiet for one whole round of all contenders. */
    public boolean isQuiet() {
        return compilerShare < QUIET;
    }

    /** Returns the compiler's state in words, with its share. */
    public String compiler() {
        return String.format(
                Locale.ROOT,
                isQuiet() ? "the compiler was quiet: %.1f %%" : "the compiler was still at work: %.1f %%",
                compilerShare * 100);
    }
}
