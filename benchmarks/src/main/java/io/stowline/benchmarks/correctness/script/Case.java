package io.stowline.benchmarks.correctness.script;

/**
 * An operation with what its caller was told.
 *
 * @param worker whose operation it is
 * @param step the worker's step that it was part of
 * @param op the operation
 * @param told what the caller was told
 * @param start when the caller asked for it
 * @param end when the caller was told
 */
public record Case(int worker, int step, Op op, ReportedResult told, long start, long end) {

    @Override
    public String toString() {
        return op + ", " + Clock.shown(start) + ".." + Clock.shown(end) + ", told " + told;
    }
}
