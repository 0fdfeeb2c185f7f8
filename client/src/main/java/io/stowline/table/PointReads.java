package io.stowline.table;

import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.transport.internal.http.StorageResponse;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads of single entities by their keys, for both faces of a table. */
record PointReads<T>(TableContext<T> context) {

    /** Enough to fill the permits of a client, few enough that a long list does not wait in it. */
    static final int IN_FLIGHT = 32;

    /** Empty if there is no such entity. */
    Mono<StorageResponse> one(EntityKey key) {
        checked(key);
        return context.operations()
                .find(
                        key.partitionKey(),
                        key.rowKey(),
                        context.codec().select(),
                        context.codec().metadataLevel());
    }

    /**
     * The entities that exist, in the order of their keys, each once. All keys are checked before the first request. No more responses
     * than {@value #IN_FLIGHT} wait here, so that a reader that decodes each as it comes keeps no more of them.
     */
    Flux<StorageResponse> all(Collection<EntityKey> keys) {
        Objects.requireNonNull(keys, "keys");
        List<EntityKey> distinct = List.copyOf(new LinkedHashSet<>(keys));
        distinct.forEach(PointReads::checked);
        return Flux.fromIterable(distinct).flatMapSequential(this::one, IN_FLIGHT, 1);
    }

    StoredEntity<T> decoded(StorageResponse response) {
        return RowMapper.stored(RowDecoder.row(context.operations().table(), response, context.codec()));
    }

    private static void checked(EntityKey key) {
        Objects.requireNonNull(key, "key");
        KeyRules.check("PartitionKey", key.partitionKey());
        KeyRules.check("RowKey", key.rowKey());
    }
}
