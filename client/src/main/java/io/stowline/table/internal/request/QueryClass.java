package io.stowline.table.internal.request;

import java.util.Locale;

/**
 * The part of a table that a query makes the service scan, from the cheapest to the dearest. It follows from the conditions on the keys.
 * Rows that are looked at cost time and count against the limits whether they are found or not.
 */
public enum QueryClass {
    /** One entity: both keys are given. */
    POINT,
    /** A range of rows in one partition. */
    ROW_RANGE,
    /** All rows of one partition. */
    PARTITION,
    /** All rows of a range of partitions. */
    PARTITION_RANGE,
    /** The whole table. */
    TABLE_SCAN;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the name in lower case with hyphens, such as {@code row-range}. */
    public String label() {
        return label;
    }
}
