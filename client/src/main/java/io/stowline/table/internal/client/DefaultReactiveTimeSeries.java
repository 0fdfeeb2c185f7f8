package io.stowline.table.internal.client;

import io.stowline.outcome.WriteResult;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveTable;
import io.stowline.table.ReactiveTimeSeries;
import io.stowline.table.ReactiveTransaction;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactiveTimeSeries} in the rows of a table. */
final class DefaultReactiveTimeSeries<V> implements ReactiveTimeSeries<V> {

    private final ReactiveTable<Entity> table;
    private final TimeSeriesSlots<V> slots;

    DefaultReactiveTimeSeries(ReactiveTable<Entity> table, TimeSeriesSlots<V> slots) {
        this.table = table;
        this.slots = slots;
    }

    @Override
    public Mono<WriteResult> put(String partitionKey, Instant at, V value) {
        return Mono.defer(() -> table.insertOrMerge(slots.entity(partitionKey, at, value)));
    }

    @Override
    public Mono<List<WriteResult>> putAll(String partitionKey, Map<Instant, V> values) {
        return Flux.defer(() -> Flux.fromIterable(slots.groups(partitionKey, values)))
                .concatMap(rows -> rows.size() == 1
                        ? table.insertOrMerge(rows.get(0)).flux()
                        : transaction(partitionKey, rows).flatMapIterable(written -> written))
                .collectList();
    }

    private Mono<List<WriteResult>> transaction(String partitionKey, List<Entity> rows) {
        ReactiveTransaction<Entity> transaction = table.transaction(partitionKey);
        rows.forEach(transaction::insertOrMerge);
        return transaction.commit();
    }

    @Override
    public Mono<SortedMap<Instant, V>> read(String partitionKey, Instant at) {
        return Mono.defer(() -> table.find(partitionKey, slots.layout().rowKey(at)))
                .map(row -> slots.values(row.value()))
                .defaultIfEmpty(Collections.emptySortedMap());
    }

    @Override
    public Mono<SortedMap<Instant, V>> read(String partitionKey, Instant from, Instant to) {
        return Mono.defer(() -> TimeSeriesSlots.isEmpty(from, to)
                ? Mono.just(Collections.emptySortedMap())
                : table.query()
                        .where(slots.rows(partitionKey, from, to))
                        .list()
                        .map(rows -> slots.values(rows, from, to)));
    }

    @Override
    public String toString() {
        return "ReactiveSeries[" + table.name() + ", " + slots.name() + ", " + slots.layout() + "]";
    }
}
