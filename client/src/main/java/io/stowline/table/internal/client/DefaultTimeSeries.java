package io.stowline.table.internal.client;

import io.stowline.outcome.WriteResult;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TimeSeries;
import io.stowline.table.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** {@link TimeSeries} in the rows of a table. */
final class DefaultTimeSeries<V> implements TimeSeries<V> {

    private final Table<Entity> table;
    private final TimeSeriesSlots<V> slots;

    DefaultTimeSeries(Table<Entity> table, TimeSeriesSlots<V> slots) {
        this.table = table;
        this.slots = slots;
    }

    @Override
    public WriteResult put(String partitionKey, Instant at, V value) {
        return table.insertOrMerge(slots.entity(partitionKey, at, value));
    }

    @Override
    public List<WriteResult> putAll(String partitionKey, Map<Instant, V> values) {
        List<WriteResult> written = new ArrayList<>();
        for (List<Entity> rows : slots.groups(partitionKey, values)) {
            written.addAll(
                    rows.size() == 1 ? List.of(table.insertOrMerge(rows.get(0))) : transaction(partitionKey, rows));
        }
        return Collections.unmodifiableList(written);
    }

    private List<WriteResult> transaction(String partitionKey, List<Entity> rows) {
        Transaction<Entity> transaction = table.transaction(partitionKey);
        rows.forEach(transaction::insertOrMerge);
        return transaction.commit();
    }

    @Override
    public SortedMap<Instant, V> read(String partitionKey, Instant at) {
        Optional<StoredEntity<Entity>> row =
                table.find(partitionKey, slots.layout().rowKey(at));
        return row.map(found -> slots.values(found.value())).orElseGet(Collections::emptySortedMap);
    }

    @Override
    public SortedMap<Instant, V> read(String partitionKey, Instant from, Instant to) {
        if (TimeSeriesSlots.isEmpty(from, to)) {
            return Collections.emptySortedMap();
        }
        return slots.values(
                table.query().where(slots.rows(partitionKey, from, to)).list(), from, to);
    }

    @Override
    public String toString() {
        return "Series[" + table.name() + ", " + slots.name() + ", " + slots.layout() + "]";
    }
}
