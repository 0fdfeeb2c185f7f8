package io.stowline.system.ledger.script;

/**
 * An operation with the result that its caller received.
 *
 * @param worker whose operation it is
 * @param step the worker's step that it was part of
 * @param op the operation
 * @param reported the result that the caller received
 * @param start when the caller requested it
 * @param end when the caller received it
 */
public record Case(int worker, int step, Op op, ReportedResult reported, long start, long end) {

    @Override
    public String toString() {
        return op + ", " + Clock.shown(start) + ".." + Clock.shown(end) + ", told " + reported;
    }
}
