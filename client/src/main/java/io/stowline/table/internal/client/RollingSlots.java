package io.stowline.table.internal.client;

import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.projection.internal.read.StoredValue;
import io.stowline.table.Entity;
import io.stowline.table.RollingSeries.Ring;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The places of the values of a rolling series: two properties for each slot of its row. Immutable.
 *
 * @param name the prefix of the properties' names
 * @param type the Java type of the values
 * @param ring their layout
 */
record RollingSlots<V>(String name, Class<V> type, Ring ring) {

    RollingSlots {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "values");
        Objects.requireNonNull(ring, "ring");
        PropertyNames.check(time(name, ring.slots() - 1));
        TimeSeriesSlots.checkType(name, type);
    }

    private static String time(String name, int slot) {
        return TimeSeriesSlots.property(name, slot) + "_at";
    }

    /** Returns the properties of a read, without the others of the row. */
    @Nullable
    List<String> select() {
        List<String> properties = new ArrayList<>();
        for (int slot = 0; slot < ring.slots(); slot++) {
            properties.add(TimeSeriesSlots.property(name, slot));
            properties.add(time(name, slot));
        }
        return TimeSeriesSlots.select(properties);
    }

    /**
     * Returns the values by the starts of their slots; of those that have one place, the newest.
     *
     * @throws IllegalArgumentException if two times are in one slot, or a slot begins after a time
     */
    SortedMap<Instant, V> placed(Map<Instant, V> values, Instant latest) {
        SortedMap<Instant, V> newest = new TreeMap<>();
        TimeSeriesSlots.starts(ring::start, values).forEach((start, value) -> {
            if (start.isAfter(latest)) {
                throw new IllegalArgumentException("the slot that begins " + start + " is after " + latest
                        + ", which is one slot of " + ring.slotLength() + " after this machine's clock; a value further"
                        + " ahead would take the place of one in the window");
            }
            newest.keySet().removeIf(other -> ring.slot(other) == ring.slot(start));
            newest.put(start, value);
        });
        return newest;
    }

    /** Returns the part of a row that holds values. */
    Entity entity(String partitionKey, SortedMap<Instant, V> values) {
        Entity.Builder row = Entity.builder(partitionKey, ring.rowKey());
        values.forEach((start, value) -> row.set(TimeSeriesSlots.property(name, ring.slot(start)), value)
                .set(time(name, ring.slot(start)), start));
        return row.build();
    }

    /** Returns the values whose places in a row hold none of a later slot. */
    SortedMap<Instant, V> notOlder(SortedMap<Instant, V> values, Entity row) {
        SortedMap<Instant, V> kept = new TreeMap<>(values);
        kept.keySet().removeIf(start -> {
            Instant stored = stored(row, ring.slot(start));
            return stored != null && stored.isAfter(start);
        });
        return kept;
    }

    /** Returns the values in a row whose slots are in the window that ends with a time. */
    SortedMap<Instant, V> window(Entity row, Instant at) {
        Instant last = ring.start(at);
        Instant before = last.minus(ring.span());
        SortedMap<Instant, V> found = new TreeMap<>();
        for (int slot = 0; slot < ring.slots(); slot++) {
            Instant start = stored(row, slot);
            Object value = row.get(TimeSeriesSlots.property(name, slot));
            if (start != null && value != null && start.isAfter(before) && !start.isAfter(last)) {
                found.put(start, StoredValue.read(TimeSeriesSlots.property(name, slot), value, type));
            }
        }
        return Collections.unmodifiableSortedMap(found);
    }

    /** Returns the start that a place holds; null for none, and for one that belongs to another place. */
    private @Nullable Instant stored(Entity row, int slot) {
        Object value = row.get(time(name, slot));
        if (value == null) {
            return null;
        }
        Instant start = StoredValue.read(time(name, slot), value, Instant.class);
        return ring.slot(start) == slot && ring.start(start).equals(start) ? start : null;
    }
}
