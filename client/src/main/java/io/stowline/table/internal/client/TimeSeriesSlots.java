package io.stowline.table.internal.client;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.projection.internal.read.StoredValue;
import io.stowline.table.Entity;
import io.stowline.table.TimeSeries;
import io.stowline.table.internal.writer.TableService;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The places of a series' values: the row and the property of each. Immutable.
 *
 * @param name the prefix of the properties' names
 * @param type the Java type of the values
 * @param layout their layout
 */
record TimeSeriesSlots<V>(String name, Class<V> type, TimeSeries.Layout layout) {

    /** Names that are longer together are not sent, for an address has its limits; then whole rows are fetched. */
    private static final int MAX_SELECT = 4_096;

    TimeSeriesSlots {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "values");
        Objects.requireNonNull(layout, "layout");
        PropertyNames.check(property(name, layout.firstSlot()));
        checkType(name, type);
    }

    static void checkType(String name, Class<?> type) {
        if (EdmType.ofClass(type) == null) {
            throw new IllegalArgumentException("the values of the series " + name + " are of " + type.getName()
                    + ", which no property can hold; Entity.Builder says what can be");
        }
    }

    static String property(String name, int slot) {
        return name + (slot < 10 ? "_0" : "_") + slot;
    }

    private List<String> properties() {
        return IntStream.range(layout.firstSlot(), layout.firstSlot() + layout.slots())
                .mapToObj(slot -> property(name, slot))
                .toList();
    }

    /** Returns the properties of a read, without the others of a row. */
    @Nullable
    List<String> select() {
        return select(properties());
    }

    /** Returns keys and properties; null if their names are too long for an address. */
    static @Nullable List<String> select(List<String> properties) {
        List<String> all = new ArrayList<>(List.of("PartitionKey", "RowKey"));
        all.addAll(properties);
        return String.join(",", all).length() > MAX_SELECT ? null : List.copyOf(all);
    }

    Entity entity(String partitionKey, Instant at, V value) {
        return Entity.builder(partitionKey, layout.rowKey(at))
                .set(property(at), Objects.requireNonNull(value, "value"))
                .build();
    }

    private String property(Instant at) {
        return property(name, layout.slot(at));
    }

    /** Returns one entity for each row, in the order of time, as many together as a transaction takes. */
    List<List<Entity>> groups(String partitionKey, Map<Instant, V> values) {
        List<Entity> rows = new ArrayList<>();
        for (Entity each : entities(partitionKey, values)) {
            int last = rows.size() - 1;
            if (last >= 0 && rows.get(last).rowKey().equals(each.rowKey())) {
                rows.set(last, both(rows.get(last), each));
            } else {
                rows.add(each);
            }
        }
        List<List<Entity>> groups = new ArrayList<>();
        for (int from = 0; from < rows.size(); from += TableService.MAX_OPERATIONS) {
            groups.add(rows.subList(from, Math.min(rows.size(), from + TableService.MAX_OPERATIONS)));
        }
        return groups;
    }

    private List<Entity> entities(String partitionKey, Map<Instant, V> values) {
        return starts(layout::start, values).entrySet().stream()
                .map(each -> entity(partitionKey, each.getKey(), each.getValue()))
                .toList();
    }

    /** Returns values by the starts of their slots, and refuses two of one slot. */
    static <V> SortedMap<Instant, V> starts(UnaryOperator<Instant> start, Map<Instant, V> values) {
        Map<Instant, Instant> times = new HashMap<>();
        SortedMap<Instant, V> starts = new TreeMap<>();
        values.forEach((time, value) -> {
            Instant begin = start.apply(time);
            Instant other = times.put(begin, time);
            if (other != null) {
                throw new IllegalArgumentException("the times " + other + " and " + time
                        + " are both in the slot that begins " + begin + "; a slot has one value");
            }
            starts.put(begin, Objects.requireNonNull(value, "value"));
        });
        return starts;
    }

    private static Entity both(Entity one, Entity other) {
        Entity.Builder both = one.toBuilder();
        other.properties().forEach(both::set);
        return both.build();
    }

    /** Returns the rows from a time up to another that comes after it. */
    Filter rows(String partitionKey, Instant from, Instant to) {
        return Filter.partitionKey()
                .equalTo(KeyRules.check("PartitionKey", partitionKey))
                .and(Filter.rowKey().atLeast(layout.rowKey(from)))
                .and(Filter.rowKey().atMost(layout.rowKey(to.minusNanos(1))));
    }

    /** Returns whether there is a slot from a time up to another. */
    static boolean isEmpty(Instant from, Instant to) {
        if (from.isAfter(to)) {
            throw new IllegalArgumentException("the span is empty: from " + from + " is after to " + to);
        }
        return from.equals(to);
    }

    /** Returns the values in a row. */
    SortedMap<Instant, V> values(Entity row) {
        SortedMap<Instant, V> found = new TreeMap<>();
        for (int slot = layout.firstSlot(); slot < layout.firstSlot() + layout.slots(); slot++) {
            Instant at = layout.at(row.rowKey(), slot);
            Object value = at == null ? null : row.get(property(name, slot));
            if (value != null) {
                found.put(at, StoredValue.read(property(name, slot), value, type));
            }
        }
        return Collections.unmodifiableSortedMap(found);
    }

    /** Returns the values in rows, of slots that begin before a time and not before the one that holds another. */
    SortedMap<Instant, V> values(List<Entity> rows, Instant from, Instant to) {
        SortedMap<Instant, V> found = new TreeMap<>();
        rows.forEach(row -> found.putAll(values(row)));
        return Collections.unmodifiableSortedMap(found.subMap(layout.start(from), to));
    }
}
