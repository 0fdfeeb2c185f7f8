package io.stowline.table.internal.range;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.Query;
import io.stowline.table.transfer.TableRange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys that one thread scans: of partition keys, or of the row keys of one partition.
 *
 * @param partition the partition whose row keys are the range; {@code null} for a range of partition keys
 * @param from the first key; {@code null} for the very first
 * @param exclusive whether {@code from} lies before the range
 * @param below the first key after it; {@code null} for none
 */
public record ScanRange(
        @Nullable String partition,
        @Nullable String from,
        boolean exclusive,
        @Nullable String below) {

    /** The range of all keys. */
    public static final ScanRange ALL = new ScanRange(null, null, false, null);

    /** Returns the queries that read it behind a key, one after the other. */
    public List<Query<Entity>> behind(@Nullable EntityKey last, Query<Entity> all) {
        if (last == null) {
            return List.of(within(all));
        }
        if (partition != null) {
            return List.of(new ScanRange(partition, last.rowKey(), true, below).within(all));
        }
        return List.of(
                new ScanRange(last.partitionKey(), last.rowKey(), true, null).within(all),
                new ScanRange(null, last.partitionKey(), true, below).within(all));
    }

    Query<Entity> within(Query<Entity> all) {
        return condition().map(all::where).orElse(all);
    }

    /** Returns the condition of its keys; empty for all keys. */
    public Optional<Filter> condition() {
        return range().condition();
    }

    /** Returns the range as applications see it. */
    public TableRange range() {
        return new TableRange(partition, from, exclusive, below);
    }

    /** Returns whether the range ends before a key. */
    public boolean isBefore(EntityKey key) {
        int order = partition == null ? 0 : key.partitionKey().compareTo(partition);
        String last = partition == null ? key.partitionKey() : key.rowKey();
        return order > 0 || (order == 0 && below != null && last.compareTo(below) >= 0);
    }

    /** Returns the range as properties of a state. */
    public Map<String, Object> state() {
        Map<String, Object> state = new TreeMap<>();
        put(state, "Partition", partition);
        put(state, "From", from);
        put(state, "Below", below);
        state.put("Exclusive", exclusive);
        return state;
    }

    private static void put(Map<String, Object> state, String name, @Nullable String value) {
        if (value != null) {
            state.put(name, value);
        }
    }

    /** Reads a range from a state. */
    public static ScanRange of(Entity state) {
        return new ScanRange(
                state.get("Partition", String.class),
                state.get("From", String.class),
                Boolean.TRUE.equals(state.get("Exclusive", Boolean.class)),
                state.get("Below", String.class));
    }
}
