package io.stowline.table.internal.operation;

import io.stowline.access.internal.policy.PolicyOperations;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.EntityType;
import io.stowline.projection.Mapping;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.ScanPolicy;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.codec.SealedCodec;
import io.stowline.table.internal.codec.TypedCodec;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.request.BatchOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The context that both faces of a table, its queries, writers and transactions share. Immutable. */
public record TableContext<T>(
        TableService service, TableOperations operations, EntityCodec<T> codec, Mapping mapping, List<Filter> always)
        implements TableMember<T> {

    public TableContext(TableService service, TableOperations operations, EntityCodec<T> codec, Mapping mapping) {
        this(service, operations, codec, mapping, List.of());
    }

    /** Returns the codec of a type that entities are read as; it needs no keys. */
    @SuppressWarnings("unchecked") // Entity's codec is chosen for Entity only
    public static <T> EntityCodec<T> codec(Class<T> type, Mapping mapping) {
        if (type == Entity.class) {
            return (EntityCodec<T>) new EntityObjectCodec(null);
        }
        return SealedCodec.isFamily(type)
                ? SealedCodec.of(type, mapping)
                : new TypedCodec<>(EntityType.of(type, mapping));
    }

    /** Returns the codec of a table's own type, which is written too. */
    public static <T> EntityCodec<T> keyedCodec(Class<T> type, Mapping mapping) {
        EntityCodec<T> codec = codec(type, mapping);
        boolean keyed = codec instanceof SealedCodec<T> family
                ? family.hasKeys()
                : !(codec instanceof TypedCodec<T> typed) || typed.type().hasKeys();
        if (!keyed) {
            throw new UnmappableTypeException(
                    type,
                    null,
                    "the type of a table, or each that it permits, needs a component with @PartitionKey and one with"
                            + " @RowKey; without them it serves in Query.as",
                    null);
        }
        return codec;
    }

    /** Returns the operations on the stored access policies of the table. */
    public PolicyOperations policies() {
        return PolicyOperations.of(service.signer(), operations.table(), operations.retry(), operations.headers());
    }

    /** Returns the table as another type. */
    public <R> TableContext<R> as(Class<R> view) {
        Objects.requireNonNull(view, "view");
        return with(keyedCodec(view, mapping));
    }

    public TableContext<T> with(RetrySettings retry) {
        return new TableContext<>(service, operations.with(retry), codec, mapping, always);
    }

    public TableContext<T> with(WriteMarkers markers) {
        Objects.requireNonNull(markers, "markers");
        return new TableContext<>(service, operations.with(markers), codec, mapping, always);
    }

    public TableContext<T> with(ReadFrom from) {
        Objects.requireNonNull(from, "source");
        return new TableContext<>(service, operations.with(from), codec, mapping, always);
    }

    /** Returns the table with reads that are tried as the steps of a writer. */
    public TableContext<T> stepwise(Function<ContextView, BatchOptions> way) {
        return new TableContext<>(service, operations.stepwise(way), codec, mapping, always);
    }

    public TableContext<T> with(ScanPolicy policy) {
        return new TableContext<>(service, operations.with(policy), codec, mapping, always);
    }

    public TableContext<T> header(String name, String value) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        return new TableContext<>(service, operations.header(name, value), codec, mapping, always);
    }

    /** Returns the table with a condition on its queries that the user does not see. */
    public TableContext<T> always(Filter filter) {
        return new TableContext<>(service, operations, codec, mapping, List.of(filter));
    }

    public <R> TableContext<R> with(EntityCodec<R> other) {
        return new TableContext<>(service, operations, other, mapping, always);
    }

    @Override
    public TableContext<T> context() {
        return this;
    }

    @Override
    public TableContext<T> under(TableContext<?> whole) {
        if (service != whole.service) {
            throw new IllegalArgumentException(described() + " and " + whole.described()
                    + " belong to different Stowline clients, which never share a request");
        }
        if (!operations.table().equalsIgnoreCase(whole.operations.table())) {
            throw new IllegalArgumentException(described() + " and " + whole.described()
                    + " are different tables: a request changes rows of one table");
        }
        return new TableContext<>(service, whole.operations, codec, mapping, always);
    }

    private String described() {
        return "the table " + operations.table() + " of " + codec.typeName(null) + " in the account "
                + service.accountName();
    }

    @Override
    public String entityPartition(String partitionKey) {
        return KeyRules.check("PartitionKey", partitionKey);
    }

    @Override
    public boolean indexed() {
        return false;
    }

    @Override
    public Mono<List<WriteResult>> commit(TableContext<?> whole, List<PlannedWrite<?>> writes) {
        List<EncodedOperation> entities = new ArrayList<>(writes.size());
        for (PlannedWrite<?> write : writes) {
            entities.add(write.entity());
        }
        return new LaneTransaction(whole, entities).commit();
    }

    @Override
    public EncodedOperation encode(TableOperation<T, ?> operation) {
        EntityVerb verb = EntityVerb.of(operation);
        EntityKey key = operation.key();
        if (key != null) {
            return encodeDelete(key.partitionKey(), key.rowKey());
        }
        StoredEntity<T> stored = operation.stored();
        if (stored != null) {
            return verb == EntityVerb.DELETE ? encodeDelete(stored) : encode(verb, stored);
        }
        T value = Objects.requireNonNull(operation.value(), "value");
        return verb == EntityVerb.DELETE ? encodeDelete(value) : encode(verb, value);
    }

    public EncodedOperation encode(EntityVerb verb, T value) {
        Objects.requireNonNull(value, "value");
        return operations.encoder().encode(verb, value, codec, null);
    }

    public EncodedOperation encode(EntityVerb verb, StoredEntity<T> stored) {
        Objects.requireNonNull(stored, "stored");
        return operations.encoder().encode(verb, stored.value(), codec, stored.etag());
    }

    public EncodedOperation encodeDelete(StoredEntity<T> stored) {
        Objects.requireNonNull(stored, "stored");
        T value = stored.value();
        return operations.encoder().delete(codec.partitionKey(value), codec.rowKey(value), stored.etag());
    }

    public EncodedOperation encodeDelete(T value) {
        Objects.requireNonNull(value, "value");
        return encodeDelete(codec.partitionKey(value), codec.rowKey(value));
    }

    public EncodedOperation encodeDelete(String partitionKey, String rowKey) {
        codec.checkKey(rowKey);
        return operations.encoder().delete(partitionKey, rowKey, "*");
    }

    public Mono<WriteResult> write(EncodedOperation operation) {
        return operations.write(operation);
    }

    /** Writes for an application that is not blocked, whose code encodes the entity. */
    public Mono<WriteResult> deliver(Supplier<EncodedOperation> operation) {
        return service.delivered(Mono.defer(() -> write(UserCode.call(operation))));
    }
}
