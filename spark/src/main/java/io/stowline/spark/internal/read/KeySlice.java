package io.stowline.spark.internal.read;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.transfer.TableRange;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/**
 * The keys that one task reads: those of some partitions, of partitions that begin with a prefix, or of a range. Immutable.
 *
 * @param partitions the partitions; empty for one of the other two
 * @param prefix the beginning of partition keys; {@code null} for a range
 * @param partition the partition whose row keys are the range; {@code null} for a range of partition keys
 * @param from the first key of the range; {@code null} for the very first
 * @param exclusive whether {@code from} lies before the range
 * @param below the first key after the range; {@code null} for none
 */
record KeySlice(
        List<String> partitions,
        @Nullable String prefix,
        @Nullable String partition,
        @Nullable String from,
        boolean exclusive,
        @Nullable String below)
        implements InputPartition {

    private static final int MAX_PARALLEL = 8;

    static final KeySlice ALL = range(new TableRange(null, null, false, null));

    static KeySlice partitions(List<String> keys) {
        return new KeySlice(List.copyOf(keys), null, null, null, false, null);
    }

    static KeySlice prefix(String prefix) {
        return new KeySlice(List.of(), prefix, null, null, false, null);
    }

    static KeySlice range(TableRange range) {
        return new KeySlice(List.of(), null, range.partition(), range.from(), range.exclusive(), range.below());
    }

    /** Returns the query that reads these keys only. */
    ReactiveQuery<Entity> within(ReactiveQuery<Entity> all) {
        if (partitions.size() == 1) {
            return all.partition(partitions.get(0));
        }
        if (!partitions.isEmpty()) {
            return all.partitions(partitions).unordered().parallelism(Math.min(MAX_PARALLEL, partitions.size()));
        }
        if (prefix != null) {
            return all.where(Filter.partitionKey().startsWith(prefix));
        }
        return new TableRange(partition, from, exclusive, below)
                .condition()
                .map(all::where)
                .orElse(all);
    }

    /** Returns the number of queries that read it, each of which has at least one page. */
    int queries() {
        return Math.max(1, partitions.size());
    }
}
