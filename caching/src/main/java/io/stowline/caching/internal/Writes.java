package io.stowline.caching.internal;

/**
 * The writes of some resources, in the same memory however many they are. Of those whose end is open only the first and the last horizon are
 * known: between the two each moment may be one. Immutable.
 *
 * @param count how many have ended
 * @param first the first horizon of those that were open together, in nanoseconds
 * @param last the last one; 0 if there was none
 */
record Writes(long count, long first, long last) {

    static final Writes NONE = new Writes(0, 0, 0);

    /** One more; it may yet take effect until the horizon, if that is not 0. */
    Writes and(long horizon, Moment now) {
        if (horizon == 0) {
            return new Writes(count + 1, first, last);
        }
        return last > now.nanos()
                ? new Writes(count + 1, Math.min(first, horizon), Math.max(last, horizon))
                : new Writes(count + 1, horizon, horizon);
    }

    /** Whether one may take effect after this moment. */
    boolean mayFollow(Moment begun) {
        return last != 0 && begun.nanos() < last;
    }

    /** Whether one may have come to its horizon after the one moment and not after the other. */
    boolean mayEndBetween(Moment begun, Moment now) {
        return mayFollow(begun) && now.nanos() >= first && begun.nanos() < now.nanos();
    }
}
