package io.stowline.table;

import io.stowline.outcome.WriteResult;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link RollingSeries}: the same methods. Nothing is sent before a subscription, and each subscription starts
 * a separate operation. Thread-safe.
 *
 * @param <V> the values' type
 */
public interface ReactiveRollingSeries<V> {

    /**
     * Sets the value of a slot; see {@link RollingSeries#put}.
     *
     * @param partitionKey whose value it is
     * @param at a time in the slot
     * @param value the value
     * @return what was written; empty if the place holds a value of a later slot
     */
    default Mono<WriteResult> put(String partitionKey, Instant at, V value) {
        return putAll(partitionKey, Map.of(Objects.requireNonNull(at, "at"), Objects.requireNonNull(value, "value")));
    }

    /**
     * Sets the values of several slots by one operation; see {@link RollingSeries#putAll}.
     *
     * @param partitionKey whose values they are
     * @param values the values by times in their slots
     * @return what was written; empty if there are no values, or each place holds a value of a later slot
     */
    Mono<WriteResult> putAll(String partitionKey, Map<Instant, V> values);

    /**
     * Returns the values of the window that ends with the slot that holds a time; see {@link RollingSeries#read}.
     *
     * @param partitionKey whose values they are
     * @param at a time in the last slot of the window
     * @return the values by the starts of their slots, in a map that may be empty
     */
    Mono<SortedMap<Instant, V>> read(String partitionKey, Instant at);
}
