package io.stowline.table.internal.client;

import io.stowline.outcome.WriteResult;
import io.stowline.table.RollingSeries;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** {@link RollingSeries} in a row of a table. */
record DefaultRollingSeries<V>(RollingOperations<V> operations) implements RollingSeries<V> {

    @Override
    public Optional<WriteResult> putAll(String partitionKey, Map<Instant, V> values) {
        return Optional.ofNullable(BlockingAwait.on(operations.put(partitionKey, values)));
    }

    @Override
    public SortedMap<Instant, V> read(String partitionKey, Instant at) {
        return BlockingAwait.result(operations.read(partitionKey, at));
    }

    @Override
    public String toString() {
        return "RollingSeries" + operations;
    }
}
