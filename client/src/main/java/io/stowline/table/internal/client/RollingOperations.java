package io.stowline.table.internal.client;

import io.stowline.outcome.WriteResult;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.query.PointReads;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.transport.ReadFrom;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;

/**
 * The writes and reads of a rolling series. A value that leaves the window in less than two slots is written on the version that was read;
 * others by a plain upsert, since no writer whose clock is right by a slot has used their place again.
 */
record RollingOperations<V>(TableContext<Entity> context, RollingSlots<V> slots) {

    static <V> RollingOperations<V> of(TableContext<?> table, RollingSlots<V> slots) {
        return new RollingOperations<>(table.with(new EntityObjectCodec(slots.select())), slots);
    }

    /** Returns what was written; empty if nothing was. */
    Mono<WriteResult> put(String partitionKey, Map<Instant, V> values) {
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(values, "values");
        Instant now = Instant.ofEpochMilli(context.service().timer().now(TimeUnit.MILLISECONDS));
        SortedMap<Instant, V> placed =
                slots.placed(values, now.plus(slots.ring().slotLength()));
        if (placed.isEmpty()) {
            return Mono.empty();
        }
        Instant reused = placed.firstKey().plus(slots.ring().span());
        return now.plus(slots.ring().slotLength().multipliedBy(2)).isBefore(reused)
                ? context.write(context.encode(EntityVerb.INSERT_OR_MERGE, slots.entity(partitionKey, placed)))
                : new ConflictRounds(context).repeat(Mono.defer(() -> onItsVersion(partitionKey, placed)));
    }

    private Mono<WriteResult> onItsVersion(String partitionKey, SortedMap<Instant, V> values) {
        PointReads<Entity> reads = new PointReads<>(context.with(ReadFrom.PRIMARY));
        return reads.one(key(partitionKey))
                .map(reads::decoded)
                .map(row -> merge(partitionKey, values, row))
                .defaultIfEmpty(Mono.defer(
                        () -> context.write(context.encode(EntityVerb.INSERT, slots.entity(partitionKey, values)))))
                .flatMap(write -> write);
    }

    private Mono<WriteResult> merge(String partitionKey, SortedMap<Instant, V> values, StoredEntity<Entity> row) {
        SortedMap<Instant, V> kept = slots.notOlder(values, row.value());
        return kept.isEmpty()
                ? Mono.empty()
                : context.write(context.encode(EntityVerb.MERGE, row.with(slots.entity(partitionKey, kept))));
    }

    Mono<SortedMap<Instant, V>> read(String partitionKey, Instant at) {
        PointReads<Entity> reads = new PointReads<>(context);
        slots.ring().start(at);
        return reads.one(key(partitionKey))
                .map(response -> slots.window(reads.decoded(response).value(), at))
                .defaultIfEmpty(Collections.emptySortedMap());
    }

    private EntityKey key(String partitionKey) {
        return new EntityKey(partitionKey, slots.ring().rowKey());
    }

    @Override
    public String toString() {
        return "[" + context.operations().table() + ", " + slots.name() + ", "
                + slots.ring().rowKey() + "]";
    }
}
