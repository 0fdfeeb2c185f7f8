package io.stowline.table;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link Series}: the same verbs. Nothing is sent before a subscription; each one is an operation of its own.
 * Thread-safe.
 *
 * @param <V> the values' type
 */
public final class ReactiveSeries<V> {

    private final ReactiveTable<Entity> table;
    private final SeriesSlots<V> slots;

    ReactiveSeries(ReactiveTable<Entity> table, SeriesSlots<V> slots) {
        this.table = table;
        this.slots = slots;
    }

    /**
     * Sets the value of a slot; see {@link Series#put}.
     *
     * @param partitionKey whose value it is
     * @param at a time in the slot
     * @param value the value
     * @return what was written
     */
    public Mono<Written> put(String partitionKey, Instant at, V value) {
        return Mono.defer(() -> table.insertOrMerge(slots.entity(partitionKey, at, value)));
    }

    /**
     * Sets the values of several slots; see {@link Series#putAll}.
     *
     * @param partitionKey whose values they are
     * @param values the values by times in their slots
     * @return what was written, one for each row in the order of time
     */
    public Mono<List<Written>> putAll(String partitionKey, Map<Instant, V> values) {
        return Flux.defer(() -> Flux.fromIterable(slots.groups(partitionKey, values)))
                .concatMap(rows -> rows.size() == 1
                        ? table.insertOrMerge(rows.get(0)).flux()
                        : transaction(partitionKey, rows).flatMapIterable(written -> written))
                .collectList();
    }

    private Mono<List<Written>> transaction(String partitionKey, List<Entity> rows) {
        ReactiveTransaction<Entity> transaction = table.transaction(partitionKey);
        rows.forEach(transaction::insertOrMerge);
        return transaction.commit();
    }

    /**
     * The values of the whole period that a time is in; see {@link Series#read(String, Instant)}.
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
     * The values of a span of time; see {@link Series#read(String, Instant, Instant)}.
     *
     * @param partitionKey whose values they are
     * @param from a time in the first slot
     * @param to the time before which the last slot begins
     * @return the values by the starts of their slots, in a map that may be empty
     */
    public Mono<SortedMap<Instant, V>> read(String partitionKey, Instant from, Instant to) {
        return Mono.defer(() -> SeriesSlots.isEmpty(from, to)
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
