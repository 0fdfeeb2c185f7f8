package io.stowline.advisor.internal.evidence;

import org.jspecify.annotations.Nullable;

/**
 * The range of keys that recent writes of one table or container had. A write is at an end of the range if its key is not within the
 * range of the second before: requests that overlap end in any order. The range of the present and the previous part of the window
 * shows whether keys rise at all; older keys leave it, so that a single high key does not hide keys that rise. Not thread-safe.
 */
final class KeyOrder {

    private static final long SECOND_MILLIS = 1_000;

    /** Longer keys have no place, which bounds memory. */
    private static final int MAX_CHARS = 256;

    private final Ends part = new Ends();
    private final Ends second = new Ends();
    private long begin;

    /** The place of a key. */
    enum Place {
        END,
        START,
        /** The range is of this key alone. */
        BOTH,
        WITHIN
    }

    /** The highest and the lowest key of a time and of the one before. */
    private static final class Ends {

        private @Nullable String highest;
        private @Nullable String lowest;
        private @Nullable String highestBefore;
        private @Nullable String lowestBefore;

        void add(String key) {
            highest = isAbove(key, highest) ? key : highest;
            lowest = isBelow(key, lowest) ? key : lowest;
        }

        boolean rises(String key) {
            return isKnown() && isAbove(key, highest) && isAbove(key, highestBefore);
        }

        boolean falls(String key) {
            return isKnown() && isBelow(key, lowest) && isBelow(key, lowestBefore);
        }

        boolean isKnown() {
            return highest != null || highestBefore != null;
        }

        void advance() {
            highestBefore = highest;
            lowestBefore = lowest;
            highest = null;
            lowest = null;
        }

        private static boolean isAbove(String key, @Nullable String other) {
            return other == null || key.compareTo(other) > 0;
        }

        private static boolean isBelow(String key, @Nullable String other) {
            return other == null || key.compareTo(other) < 0;
        }
    }

    boolean takes(String key) {
        return key.length() <= MAX_CHARS;
    }

    /** Returns whether a key is above all of the range. */
    boolean rises(String key) {
        return part.rises(key);
    }

    /** Returns whether a key is below all of the range. */
    boolean falls(String key) {
        return part.falls(key);
    }

    /** Returns the place of a key in the range so far, and widens the range. */
    Place add(String key, long millis) {
        if (millis - begin >= SECOND_MILLIS) {
            begin = millis;
            second.advance();
        }
        Place place = place(key);
        part.add(key);
        second.add(key);
        return place;
    }

    private Place place(String key) {
        String top = second.highestBefore == null ? second.highest : second.highestBefore;
        String bottom = second.lowestBefore == null ? second.lowest : second.lowestBefore;
        if (top == null || bottom == null) {
            return Place.WITHIN;
        }
        boolean end = key.compareTo(top) >= 0;
        boolean start = key.compareTo(bottom) <= 0;
        if (end && start) {
            return Place.BOTH;
        }
        return end ? Place.END : start ? Place.START : Place.WITHIN;
    }

    /** Begins the next part of the window. */
    void advance() {
        part.advance();
    }

    /** Forgets the range. */
    void clear() {
        part.advance();
        part.advance();
        second.advance();
        second.advance();
    }
}
