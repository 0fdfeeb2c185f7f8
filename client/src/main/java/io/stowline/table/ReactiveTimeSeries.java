package io.stowline.table;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link TimeSeries}: the same methods. Nothing is sent before a subscription, and each subscription starts a
 * separate operation. Thread-safe.
 *
 * @param <V> the values' type
 */
public final class ReactiveTimeSeries<V> {

    private final ReactiveTable<Entity> table;
    private final TimeSeriesSlots<V> slots;

    ReactiveTimeSeries(ReactiveTable<Entity> table, TimeSeriesSlots<V> slots) {
        this.table = table;
        this.slots = slots;
    }

    /**
     * Sets the value of a slot; see {@link TimeSeries#put}.
     *
     * @param partitionKey whose value it is
     * @param at a time in the slot
     * @param value the value
     * @return what was written
     */
    public Mono<EntityWriteResult> put(String partitionKey, Instant at, V value) {
        return Mono.defer(() -> table.insertOrMerge(slots.entity(partitionKey, at, value)));
    }

    /**
     * Sets the values of several slots; see {@link TimeSeries#putAll}.
     *
     * @param partitionKey whose values they are
     * @param values the values by times in their slots
     * @return what was written, one for each row in the order of time
     */
    public Mono<List<EntityWriteResult>> putAll(String partitionKey, Map<Instant, V> values) {
        return Flux.defer(() -> Flux.fromIterable(slots.groups(partitionKey, values)))
                .concatMap(rows -> rows.size() == 1
                        ? table.insertOrMerge(rows.get(0)).flux()
                        : transaction(partitionKey, rows).flatMapIterable(written -> written))
                .collectList();
    }

    private Mono<List<EntityWriteResult>> transaction(String partitionKey, List<Entity> rows) {
        ReactiveTransaction<Entity> transaction = table.transaction(partitionKey);
        rows.forEach(transaction::insertOrMerge);
        return transaction.commit();
    }

    /**
     * Returns the values of the whole period that a time is in; see {@link TimeSeries#read(String, Instant)}.
     *
     * @param partitionKey whose values they are
     * @param at a time in the period
     * @return the values by the starts of their slots, in a map that may be empty
     */
    public Mono<SortedMap<Instant, V>> read(String partitionKey, Instant at) {
        return Mono.defer(() -> table.find(partitionKey, slots.layout().rowKey(at)))
                .map(row -> slots.values(row.value()))
                .defaultIfEmpty(Collections.emptySortedMap());
    }

    /**
     * Returns the values of a span of time; see {@link TimeSeries#read(String, Instant, Instant)}.
     *
     * @param partitionKey whose values they are
     * @param from a time in the first slot
     * @param to the time before which the last slot begins
     * @return the values by the starts of their slots, in a map that may be empty
     */
    public Mono<SortedMap<Instant, V>> read(String partitionKey, Instant from, Instant to) {
        return Mono.defer(() -> TimeSeriesSlots.isEmpty(from, to)
                ? Mono.just(Collections.emptySortedMap())
                : table.query()
                        .where(slots.rows(partitionKey, from, to))
                        .list()
                        .map(rows -> slots.values(rows, from, to)));
    }

    /** The table and the series. */
    @Override
    public String toString() {
        return "ReactiveSeries[" + table.name() + ", " + slots.name() + ", " + slots.layout() + "]";
    }
}
