package io.stowline.table;

import io.stowline.outcome.WriteResult;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link TimeSeries}: the same methods. Nothing is sent before a subscription, and each subscription starts a
 * separate operation. Thread-safe.
 *
 * @param <V> the values' type
 */
public interface ReactiveTimeSeries<V> {

    /**
     * Sets the value of a slot; see {@link TimeSeries#put}.
     *
     * @param partitionKey whose value it is
     * @param at a time in the slot
     * @param value the value
     * @return what was written
     */
    Mono<WriteResult> put(String partitionKey, Instant at, V value);

    /**
     * Sets the values of several slots; see {@link TimeSeries#putAll}.
     *
     * @param partitionKey whose values they are
     * @param values the values by times in their slots
     * @return what was written, one for each row in the order of time
     */
    Mono<List<WriteResult>> putAll(String partitionKey, Map<Instant, V> values);

    /**
     * Returns the values of the whole period that a time is in; see {@link TimeSeries#read(String, Instant)}.
     *
     * @param partitionKey whose values they are
     * @param at a time in the period
     * @return the values by the starts of their slots, in a map that may be empty
     */
    Mono<SortedMap<Instant, V>> read(String partitionKey, Instant at);

    /**
     * Returns the values of a span of time; see {@link TimeSeries#read(String, Instant, Instant)}.
     *
     * @param partitionKey whose values they are
     * @param from a time in the first slot
     * @param to the time before which the last slot begins
     * @return the values by the starts of their slots, in a map that may be empty
     */
    Mono<SortedMap<Instant, V>> read(String partitionKey, Instant from, Instant to);
}
