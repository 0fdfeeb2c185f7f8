package io.stowline.table.internal.client;

import io.stowline.outcome.WriteResult;
import io.stowline.table.ReactiveRollingSeries;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import reactor.core.publisher.Mono;

/** {@link ReactiveRollingSeries} in a row of a table. */
record DefaultReactiveRollingSeries<V>(RollingOperations<V> operations) implements ReactiveRollingSeries<V> {

    @Override
    public Mono<WriteResult> putAll(String partitionKey, Map<Instant, V> values) {
        return operations.context().service().delivered(Mono.defer(() -> operations.put(partitionKey, values)));
    }

    @Override
    public Mono<SortedMap<Instant, V>> read(String partitionKey, Instant at) {
        return operations.context().service().delivered(Mono.defer(() -> operations.read(partitionKey, at)));
    }

    @Override
    public String toString() {
        return "ReactiveRollingSeries" + operations;
    }
}
