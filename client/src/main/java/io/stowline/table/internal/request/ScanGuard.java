package io.stowline.table.internal.request;

import io.stowline.table.ScanPolicy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A guard that applies a view's policy to queries that scan its table. What has been warned of is shared by all views of a client. Thread-safe. */
public final class ScanGuard {

    private static final Logger LOG = LoggerFactory.getLogger(ScanGuard.class);

    /** Enough for all conditions that differ in more than their values, unless an application generates their text. */
    private static final int MAX_WARNINGS = 1_000;

    private static final Pattern LITERAL = Pattern.compile("\\w*'(?:[^']|'')*'|(?<!\\w)-?\\d[\\w.]*");
    private static final String ADVICE = "name partitions, or bound the partition key in a condition that must hold";

    private final ScanPolicy policy;
    private final Set<String> warned;

    private ScanGuard(ScanPolicy policy, Set<String> warned) {
        this.policy = policy;
        this.warned = warned;
    }

    /**
     * Returns a guard without warnings so far.
     *
     * @param policy what becomes of scans
     */
    public static ScanGuard of(ScanPolicy policy) {
        return new ScanGuard(policy, ConcurrentHashMap.newKeySet());
    }

    public ScanGuard with(ScanPolicy other) {
        return new ScanGuard(other, warned);
    }

    public void check(String table, String filter) {
        switch (policy) {
            case ALLOW -> {}
            case WARN -> warn(table, shape(filter));
            case REFUSE ->
                throw new IllegalStateException("a query of the table " + table + " is refused, as it is a TABLE_SCAN ("
                        + shape(filter) + "): " + ADVICE + ", or allow it by scans(ScanPolicy.ALLOW)");
        }
    }

    private void warn(String table, String shape) {
        if (warned.size() < MAX_WARNINGS && warned.add(table + ' ' + shape)) {
            LOG.warn("a query scans the whole table {} ({}): {}", table, shape, ADVICE);
        }
    }

    /** The query without the values of its comparisons. */
    private static String shape(String filter) {
        return filter.isEmpty()
                ? "no filter"
                : "filter " + LITERAL.matcher(filter).replaceAll("?");
    }
}
