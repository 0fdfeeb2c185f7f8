package io.stowline.caching.internal.entry;

/**
 * What had been invalidated when a load began, and when that was.
 *
 * @param writes how many writes had ended
 * @param prefixes how often prefixes had been
 * @param begun when the load began
 */
public record InvalidationStamp(long writes, long prefixes, ClockReading begun) {

    /** Of what an earlier process left: before everything that this one has done. */
    public static InvalidationStamp earlier(long wallMillis) {
        return new InvalidationStamp(0, 0, new ClockReading(-1, wallMillis));
    }

    /** Whether a load of this process has it. */
    public boolean ofThisProcess() {
        return begun.nanos() >= 0;
    }
}
