package io.stowline.table;

import io.stowline.outcome.Marking;
import io.stowline.projection.EntityType;
import io.stowline.projection.Filter;
import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.EncodedOperation;
import io.stowline.table.internal.EntityCodec;
import io.stowline.table.internal.TableClient;
import io.stowline.table.internal.TableService;
import io.stowline.table.internal.TypedCodec;
import io.stowline.table.internal.Verb;
import io.stowline.transport.ReadFrom;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** What both faces of a table, its queries, writers and transactions stand on. Immutable. */
record TableScope<T>(
        TableService service, TableClient client, EntityCodec<T> codec, Mapping mapping, List<Filter> always) {

    TableScope(TableService service, TableClient client, EntityCodec<T> codec, Mapping mapping) {
        this(service, client, codec, mapping, List.of());
    }

    /** The codec of a type that entities are read as; it needs no keys. */
    @SuppressWarnings("unchecked") // Entity's codec is chosen for Entity only
    static <T> EntityCodec<T> codec(Class<T> type, Mapping mapping) {
        return type == Entity.class
                ? (EntityCodec<T>) new EntityObjectCodec(null)
                : new TypedCodec<>(EntityType.of(type, mapping));
    }

    /** The codec of a table's own type, which is written too. */
    static <T> EntityCodec<T> keyedCodec(Class<T> type, Mapping mapping) {
        EntityCodec<T> codec = codec(type, mapping);
        if (type != Entity.class && !EntityType.of(type, mapping).hasKeys()) {
            throw new IllegalArgumentException("the type of a table needs @PartitionKey and @RowKey, but "
                    + type.getName() + " does not have both; as a projection it serves in Query.as");
        }
        return codec;
    }

    /** The same table, seen as another type. */
    <R> TableScope<R> as(Class<R> view) {
        Objects.requireNonNull(view, "view");
        return with(keyedCodec(view, mapping));
    }

    TableScope<T> with(RetrySettings retry) {
        return new TableScope<>(service, client.with(retry), codec, mapping, always);
    }

    TableScope<T> with(Marking marking) {
        Objects.requireNonNull(marking, "marking");
        return new TableScope<>(service, client.with(marking), codec, mapping, always);
    }

    TableScope<T> with(ReadFrom from) {
        Objects.requireNonNull(from, "source");
        return new TableScope<>(service, client.with(from), codec, mapping, always);
    }

    TableScope<T> with(ScanPolicy policy) {
        return new TableScope<>(service, client.with(policy), codec, mapping, always);
    }

    TableScope<T> header(String name, String value) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        return new TableScope<>(service, client.header(name, value), codec, mapping, always);
    }

    /** The same table whose queries have a condition that the user does not see. */
    TableScope<T> always(Filter filter) {
        return new TableScope<>(service, client, codec, mapping, List.of(filter));
    }

    <R> TableScope<R> with(EntityCodec<R> other) {
        return new TableScope<>(service, client, other, mapping, always);
    }

    EncodedOperation encode(Verb verb, T value) {
        Objects.requireNonNull(value, "value");
        return client.encoder().encode(verb, value, codec, null);
    }

    EncodedOperation encode(Verb verb, Stored<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return client.encoder().encode(verb, stored.value(), codec, stored.etag());
    }

    EncodedOperation encodeDelete(Stored<T> stored) {
        Objects.requireNonNull(stored, "stored");
        T value = stored.value();
        return client.encoder().delete(codec.partitionKey(value), codec.rowKey(value), stored.etag());
    }

    EncodedOperation encodeDelete(String partitionKey, String rowKey) {
        return client.encoder().delete(partitionKey, rowKey, "*");
    }

    Mono<Written> write(EncodedOperation operation) {
        return client.write(operation);
    }
}
