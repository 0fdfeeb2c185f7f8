package io.stowline.caching.internal;

/**
 * What had been invalidated when a load began, and when that was.
 *
 * @param writes how many writes had ended
 * @param prefixes how often prefixes had been
 * @param begun when the load began
 */
record Stamp(long writes, long prefixes, Moment begun) {

    /** Of what an earlier process left: before everything that this one has done. */
    static Stamp earlier(long wallMillis) {
        return new Stamp(0, 0, new Moment(-1, wallMillis));
    }

    /** Whether a load of this process has it. */
    boolean ofThisProcess() {
        return begun.nanos() >= 0;
    }
}
