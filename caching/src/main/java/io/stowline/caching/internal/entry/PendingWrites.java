package io.stowline.caching.internal.entry;

/**
 * The writes of a resource, or of several, in the same memory however many they are. Of those whose end is open only the first and the last horizon are
 * known: between the two each moment may be one. Immutable.
 *
 * @param count the number of the last one that has ended, in the order of all writes
 * @param first the first horizon of those that were open together, in nanoseconds
 * @param last the last one; 0 if there was none
 */
record PendingWrites(long count, long first, long last) {

    static final PendingWrites NONE = new PendingWrites(0, 0, 0);

    /** One more with its number; it may yet take effect until the horizon, if that is not 0. */
    PendingWrites and(long number, long horizon, ClockReading now) {
        long latest = Math.max(count, number);
        if (horizon == 0) {
            return new PendingWrites(latest, first, last);
        }
        return last > now.nanos()
                ? new PendingWrites(latest, Math.min(first, horizon), Math.max(last, horizon))
                : new PendingWrites(latest, horizon, horizon);
    }

    /** These writes and those of another resource, from now on together. */
    PendingWrites and(PendingWrites other) {
        long latest = Math.max(count, other.count);
        if (last == 0 || other.last == 0) {
            return last == 0
                    ? new PendingWrites(latest, other.first, other.last)
                    : new PendingWrites(latest, first, last);
        }
        return new PendingWrites(latest, Math.min(first, other.first), Math.max(last, other.last));
    }

    /** Whether these are to be remembered less exactly than the other ones: their horizon is over, or they are older. */
    boolean isOlder(PendingWrites other, ClockReading now) {
        boolean open = last > now.nanos();
        boolean otherOpen = other.last > now.nanos();
        return open == otherOpen ? count < other.count : otherOpen;
    }

    /** Whether one may take effect after this moment. */
    boolean mayFollow(ClockReading begun) {
        return last != 0 && begun.nanos() < last;
    }

    /** Whether one may have come to its horizon after the one moment and not after the other. */
    boolean mayEndBetween(ClockReading begun, ClockReading now) {
        return mayFollow(begun) && now.nanos() >= first && begun.nanos() < now.nanos();
    }
}
