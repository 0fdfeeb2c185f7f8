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

    private final TransferScope scope;
    private final Table<Entity> table;

    public ScanRanges(TransferScope scope, Table<Entity> table) {
        this.scope = scope;
        this.table = table;
    }

    /** Returns the ranges in the order of their keys. */
    public List<ScanRange> find(int threads) {
        String partition = scope.settings().partition().orElse(null);
        if (threads == 1) {
            return List.of(partition == null ? ScanRange.ALL : new ScanRange(partition, null, false, null));
        }
        int wanted = threads * PER_THREAD;
        if (partition != null) {
            return rows(partition, wanted);
        }
        List<String> starts = partitions(wanted);
        List<ScanRange> ranges = new ArrayList<>();
        if (starts.size() >= threads) {
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

    private List<ScanRange> rows(String partition, int wanted) {
        List<ScanRange> ranges = new ArrayList<>();
        List<String> starts =
                probe(wanted, (from, below) -> first(new ScanRange(partition, from, false, below), partition));
        add(ranges, partition, thinned(starts, wanted));
        return ranges;
    }

    private @Nullable String first(ScanRange range, @Nullable String partition) {
        Query<Entity> one = range.within(scope.keys(table)).pageSize(1).select();
        return one.first()
                .map(entity -> partition == null ? entity.partitionKey() : entity.rowKey())
                .orElse(null);
    }

    private static List<String> probe(int wanted, FirstKey keys) {
        return new KeyProbe(keys, wanted * PROBES_PER_RANGE + PROBES).starts(wanted);
    }

    /** From the very first key to below the second start, and so on: the first start is in the first range. */
    private static void add(List<ScanRange> ranges, @Nullable String partition, List<String> starts) {
        String from = null;
        for (int i = 1; i < starts.size(); i++) {
            ranges.add(new ScanRange(partition, from, false, starts.get(i)));
            from = starts.get(i);
        }
        ranges.add(new ScanRange(partition, from, false, null));
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
