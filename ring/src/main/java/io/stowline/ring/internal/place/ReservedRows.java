package io.stowline.ring.internal.place;

import io.stowline.projection.filter.Filter;
import java.util.List;

/** The row keys that a ring keeps for itself in the partitions of applications. */
public final class ReservedRows {

    /** The beginning of these keys, which sorts before letters and digits. */
    public static final String PREFIX = "!stowline.ring.";

    /** The first text behind all of these keys. */
    private static final String BEHIND = "!stowline.ring/";

    private ReservedRows() {}

    /** Returns the condition that a row belongs to the application. */
    public static Filter excluded() {
        return Filter.any(
                List.of(Filter.rowKey().lessThan(PREFIX), Filter.rowKey().atLeast(BEHIND)));
    }

    /**
     * Checks that a row key belongs to the application.
     *
     * @return the key
     * @throws IllegalArgumentException if it is reserved
     */
    public static String checked(String rowKey) {
        if (rowKey.startsWith(PREFIX)) {
            throw new IllegalArgumentException("row key begins with " + PREFIX + ", which is reserved for the ring");
        }
        return rowKey;
    }
}
