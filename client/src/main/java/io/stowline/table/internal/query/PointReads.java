package io.stowline.table.internal.query;

import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.http.StorageResponse;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads of single entities by their keys, for both faces of a table. */
public record PointReads<T>(TableContext<T> context) {

    /** Enough to fill the permits of a client, few enough that a long list does not wait in it. */
    public static final int IN_FLIGHT = 32;

    /** Returns one entity's response; empty if there is no such entity. */
    public Mono<StorageResponse> one(EntityKey key) {
        checked(key);
        return context.operations()
                .find(
                        key.partitionKey(),
                        key.rowKey(),
                        context.codec().select(),
                        context.codec().metadataLevel());
    }

    /**
     * Returns the entities that exist, in the order of their keys, each once. All keys are checked before the first
     * request. No more responses than {@value #IN_FLIGHT} wait here, so that a reader that decodes each as it comes
     * keeps no more of them.
     */
    public Flux<StorageResponse> all(Collection<EntityKey> keys) {
        Objects.requireNonNull(keys, "keys");
        List<EntityKey> distinct = List.copyOf(new LinkedHashSet<>(keys));
        distinct.forEach(PointReads::checked);
        return Flux.fromIterable(distinct).flatMapSequential(this::one, IN_FLIGHT, 1);
    }

    /** Reads an entity for an application that is not blocked; empty if there is no such entity. */
    public Mono<StoredEntity<T>> found(String partitionKey, String rowKey) {
        return context.service()
                .delivered(Mono.defer(() -> one(new EntityKey(partitionKey, rowKey))))
                .map(UserCode.contained(this::decoded));
    }

    public StoredEntity<T> decoded(StorageResponse response) {
        return RowMapper.stored(RowDecoder.row(context.operations().table(), response, context.codec()));
    }

    private static void checked(EntityKey key) {
        Objects.requireNonNull(key, "key");
        KeyRules.check("PartitionKey", key.partitionKey());
        KeyRules.check("RowKey", key.rowKey());
    }
}
