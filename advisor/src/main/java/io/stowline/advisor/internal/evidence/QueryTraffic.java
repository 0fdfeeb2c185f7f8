package io.stowline.advisor.internal.evidence;

import java.util.Map;

/**
 * The traffic of one query without its values in a window.
 *
 * @param text its table and its filter with a question mark for each value
 * @param queryClass the part of the table that it searches
 * @param counts its counters
 */
public record QueryTraffic(String text, String queryClass, Map<ShapeTally, Long> counts) {

    /** Returns a counter. */
    public long count(ShapeTally tally) {
        return counts.getOrDefault(tally, 0L);
    }

    /** Returns how many queries have ended, at least one. */
    public long queries() {
        return Math.max(1, count(ShapeTally.PAGES) - count(ShapeTally.CONTINUED));
    }

    /** Returns the entities returned of those scanned, in percent. */
    public double density() {
        long scanned = count(ShapeTally.SCANNED);
        return scanned == 0 ? 100 : Math.min(100, 100.0 * count(ShapeTally.RETURNED) / scanned);
    }
}
