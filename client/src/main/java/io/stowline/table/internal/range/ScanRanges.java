package io.stowline.table.internal.range;

import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.Table;
import io.stowline.table.internal.range.KeyProbe.FirstKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranges in which a table is scanned, found by probes: some for each thread, so that threads with small ones take more of them. Where
 * partitions are fewer than threads, their row keys are divided. The ranges cover all keys, those that are inserted later too.
 */
public final class ScanRanges {

    private static final int PER_THREAD = 4;
    private static final int PROBES_PER_RANGE = 4;
    private static final int PROBES = 32;

    private final Query<Entity> keys;
    private final @Nullable String partition;

    /** Prepares the search for the ranges of a transfer. */
    public ScanRanges(TransferScope scope, Table<Entity> table) {
        this(scope.keys(table), scope.settings().partition().orElse(null));
    }

    /**
     * Prepares a search.
     *
     * @param keys the query of the keys, which has no condition on other properties
     * @param partition the only partition; {@code null} for all
     */
    public ScanRanges(Query<Entity> keys, @Nullable String partition) {
        this.keys = keys;
        this.partition = partition;
    }

    /** Returns the ranges for some threads, in the order of their keys. */
    public List<ScanRange> find(int threads) {
        return threads == 1 ? List.of(whole()) : find(threads, threads * PER_THREAD);
    }

    /** Returns about a number of ranges, in the order of their keys. */
    public List<ScanRange> about(int wanted) {
        return wanted == 1 ? List.of(whole()) : find(wanted, wanted);
    }

    private ScanRange whole() {
        return partition == null ? ScanRange.ALL : new ScanRange(partition, null, false, null);
    }

    /** Divides row keys where there are fewer partitions than a number. */
    private List<ScanRange> find(int few, int wanted) {
        if (partition != null) {
            return rows(partition, wanted);
        }
        List<String> starts = partitions(wanted);
        List<ScanRange> ranges = new ArrayList<>();
        if (starts.size() >= few) {
            add(ranges, null, thinned(starts, wanted));
            return ranges;
        }
        if (starts.isEmpty()) {
            return List.of(ScanRange.ALL);
        }
        ranges.add(new ScanRange(null, null, false, starts.get(0)));
        for (int i = 0; i < starts.size(); i++) {
            String start = starts.get(i);
            ranges.addAll(rows(start, Math.max(2, wanted / starts.size())));
            ranges.add(new ScanRange(null, start, true, i + 1 < starts.size() ? starts.get(i + 1) : null));
        }
        return ranges;
    }

    /** Returns existing partition keys that divide the table. */
    private List<String> partitions(int wanted) {
        return probe(wanted, (from, below) -> first(new ScanRange(null, from, false, below), null));
    }

    private List<ScanRange> rows(String only, int wanted) {
        List<ScanRange> ranges = new ArrayList<>();
        List<String> starts = probe(wanted, (from, below) -> first(new ScanRange(only, from, false, below), only));
        add(ranges, only, thinned(starts, wanted));
        return ranges;
    }

    private @Nullable String first(ScanRange range, @Nullable String only) {
        Query<Entity> one = range.within(keys).pageSize(1).select();
        return one.first()
                .map(entity -> only == null ? entity.partitionKey() : entity.rowKey())
                .orElse(null);
    }

    private static List<String> probe(int wanted, FirstKey keys) {
        return new KeyProbe(keys, wanted * PROBES_PER_RANGE + PROBES).starts(wanted);
    }

    /** From the very first key to below the second start, and so on: the first start is in the first range. */
    private static void add(List<ScanRange> ranges, @Nullable String only, List<String> starts) {
        String from = null;
        for (int i = 1; i < starts.size(); i++) {
            ranges.add(new ScanRange(only, from, false, starts.get(i)));
            from = starts.get(i);
        }
        ranges.add(new ScanRange(only, from, false, null));
    }

    /** Returns every n-th of too many. */
    private static List<String> thinned(List<String> starts, int wanted) {
        int step = Math.max(1, starts.size() / wanted);
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < starts.size(); i += step) {
            kept.add(starts.get(i));
        }
        return kept;
    }
}
