package io.stowline.observe;

import io.stowline.error.internal.PrintableText;
import java.util.Objects;

/**
 * The density of one page of a query of a table: the entities that the service returned, and an estimate of those that it scanned for them, which
 * count against its targets; and the form of its query. Immutable.
 *
 * <p>A query whose pages are far below 1 pays for what it rejects. Narrower conditions on its keys, or an index table, make it cheaper.
 *
 * @param account the account's name
 * @param table the table's name
 * @param queryClass the part of the table that the service searches, such as {@code partition}
 * @param shape the query's filter with a question mark in place of each value, such as {@code PartitionKey eq ? and age ge ?}; empty
 *     without a filter
 * @param returned the rows of the page
 * @param scanned the entities that the service has scanned, as an estimate; at least one
 * @param continued whether another page follows
 * @param selected the number of properties that the query selects, keys included; 0 for all
 * @param mapped the number of properties that the rows' type has; 0 for a type that takes any
 * @param bytes the length of the page
 */
public record QueryPageEvent(
        String account,
        String table,
        String queryClass,
        String shape,
        int returned,
        int scanned,
        boolean continued,
        int selected,
        int mapped,
        long bytes) {

    /**
     * Checks that everything is there.
     *
     * @param account the account's name
     * @param table the table's name
     * @param queryClass the part of the table that the service searches
     * @param shape the query's filter without its values
     * @param returned the rows of the page
     * @param scanned the entities that the service has scanned, as an estimate
     * @param continued whether another page follows
     * @param selected the number of properties that the query selects; 0 for all
     * @param mapped the number of properties that the rows' type has; 0 for a type that takes any
     * @param bytes the length of the page
     */
    public QueryPageEvent {
        Objects.requireNonNull(account, "account");
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(queryClass, "queryClass");
        Objects.requireNonNull(shape, "shape");
    }

    /**
     * Returns the entities returned for each one scanned.
     *
     * @return 0 to 1
     */
    public double density() {
        return (double) returned / scanned;
    }

    @Override
    public String toString() {
        return PrintableText.of("QueryPageEvent[account=" + account + ", table=" + table + ", queryClass=" + queryClass
                + ", shape=" + shape + ", returned=" + returned + ", scanned=" + scanned + ", continued=" + continued
                + ", selected=" + selected + ", mapped=" + mapped + ", bytes=" + bytes + "]");
    }
}
