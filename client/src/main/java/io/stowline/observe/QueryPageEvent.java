package io.stowline.observe;

import io.stowline.error.internal.PrintableText;
import java.util.Objects;

/**
 * The density of one page of a query of a table: the entities that the service returned, and an estimate of those that it scanned for them, which
 * count against its targets. Immutable.
 *
 * <p>A query whose pages are far below 1 pays for what it rejects. Narrower conditions on its keys, or an index table, make it cheaper.
 *
 * @param account the account's name
 * @param table the table's name
 * @param queryClass the part of the table that the service searches, such as {@code partition}
 * @param returned the rows of the page
 * @param scanned the entities that the service has scanned, as an estimate; at least one
 */
public record QueryPageEvent(String account, String table, String queryClass, int returned, int scanned) {

    /**
     * Checks that everything is there.
     *
     * @param account the account's name
     * @param table the table's name
     * @param queryClass the part of the table that the service searches
     * @param returned the rows of the page
     * @param scanned the entities that the service has scanned, as an estimate
     */
    public QueryPageEvent {
        Objects.requireNonNull(account, "account");
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(queryClass, "queryClass");
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
                + ", returned=" + returned + ", scanned=" + scanned + "]");
    }
}
