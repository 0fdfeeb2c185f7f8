package io.stowline.table;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A time series stored with many values in one row: reading a chart of a day reads one entity.
 *
 * <pre>{@code
 * TimeSeries<Double> temperature = storage.table("weather").series("temperature", Double.class, TimeSeriesLayout.HOURS_OF_DAY);
 * temperature.put("station-7", Instant.now(), 21.5);
 * SortedMap<Instant, Double> day = temperature.read("station-7", Instant.now());
 * }</pre>
 *
 * <p>The row key is the period in UTC, such as {@code 20261122}, and a value is a property of that row, such as
 * {@code temperature_13}. A time that is not at the start of a slot counts as the start of the slot that it is in; the next period is
 * a new row. Series of other names share the rows; together they have at most 252 properties, which are four series of minutes.
 *
 * <p>Times are in the years 1601 to 9999. Thread-safe. Failures are those of {@link Table}; a value that another client stored in a form
 * that is none of this type is a {@link io.stowline.projection.PropertyConversionException}.
 *
 * @param <V> the values' type: any that {@link Entity.Builder#set} takes
 */
public final class TimeSeries<V> {

    private final Table<Entity> table;
    private final TimeSeriesSlots<V> slots;

    TimeSeries(Table<Entity> table, TimeSeriesSlots<V> slots) {
        this.table = table;
        this.slots = slots;
    }

    /**
     * Sets the value of a slot, in one request and without reading: an upsert of one property.
     *
     * @param partitionKey whose value it is
     * @param at a time in the slot
     * @param value the value
     * @return what was written
     */
    public EntityWriteResult put(String partitionKey, Instant at, V value) {
        return table.insertOrMerge(slots.entity(partitionKey, at, value));
    }

    /**
     * Sets the values of several slots, each row of them with one operation. Up to 100 rows are one request and happen all or not at
     * all, more are several; what is written stays if a later one fails, and can be written again.
     *
     * @param partitionKey whose values they are
     * @param values the values by times in their slots
     * @return what was written, one for each row in the order of time
     * @throws IllegalArgumentException if two times are in one slot, or 100 rows are larger than the 4 MiB that the service takes
     */
    public List<EntityWriteResult> putAll(String partitionKey, Map<Instant, V> values) {
        List<EntityWriteResult> written = new ArrayList<>();
        for (List<Entity> rows : slots.groups(partitionKey, values)) {
            written.addAll(
                    rows.size() == 1 ? List.of(table.insertOrMerge(rows.get(0))) : transaction(partitionKey, rows));
        }
        return Collections.unmodifiableList(written);
    }

    private List<EntityWriteResult> transaction(String partitionKey, List<Entity> rows) {
        Transaction<Entity> transaction = table.transaction(partitionKey);
        rows.forEach(transaction::insertOrMerge);
        return transaction.commit();
    }

    /**
     * Returns the values of the whole period that a time is in, by one point read.
     *
     * @param partitionKey whose values they are
     * @param at a time in the period
     * @return the values by the starts of their slots; slots without one are absent
     */
    public SortedMap<Instant, V> read(String partitionKey, Instant at) {
        Optional<StoredEntity<Entity>> row =
                table.find(partitionKey, slots.layout().rowKey(at));
        return row.map(found -> slots.values(found.value())).orElseGet(Collections::emptySortedMap);
    }

    /**
     * Returns the values of a span of time, by one query over its rows; of what else stands in them nothing is fetched.
     *
     * @param partitionKey whose values they are
     * @param from a time in the first slot
     * @param to the time before which the last slot begins
     * @return the values by the starts of their slots; slots without one are absent
     * @throws IllegalArgumentException if {@code from} is after {@code to}
     */
    public SortedMap<Instant, V> read(String partitionKey, Instant from, Instant to) {
        if (TimeSeriesSlots.isEmpty(from, to)) {
            return Collections.emptySortedMap();
        }
        return slots.values(
                table.query().where(slots.rows(partitionKey, from, to)).list(), from, to);
    }

    /** The table and the series. */
    @Override
    public String toString() {
        return "Series[" + table.name() + ", " + slots.name() + ", " + slots.layout() + "]";
    }
}
