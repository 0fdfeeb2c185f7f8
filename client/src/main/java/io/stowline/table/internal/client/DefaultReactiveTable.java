package io.stowline.table.internal.client;

import io.stowline.access.ReactiveAccessPolicies;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.TableSasBuilder;
import io.stowline.access.internal.DefaultTableSasBuilder;
import io.stowline.access.internal.policy.DefaultReactiveAccessPolicies;
import io.stowline.access.internal.policy.PolicyOperations;
import io.stowline.caching.Freshness;
import io.stowline.outcome.WriteResult;
import io.stowline.table.EntityKey;
import io.stowline.table.Index;
import io.stowline.table.ReactiveCachedTable;
import io.stowline.table.ReactiveEntityMerge;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.ReactiveRollingSeries;
import io.stowline.table.ReactiveTable;
import io.stowline.table.ReactiveTableWriter;
import io.stowline.table.ReactiveTimeSeries;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.RollingSeries;
import io.stowline.table.StoredEntity;
import io.stowline.table.TimeSeries;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.index.IndexedContext;
import io.stowline.table.internal.operation.DefaultReactiveTableWriter;
import io.stowline.table.internal.operation.DefaultReactiveTransaction;
import io.stowline.table.internal.operation.JournaledWriter;
import io.stowline.table.internal.operation.LaneWriter;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.operation.TransactionSteps;
import io.stowline.table.internal.query.DefaultReactiveQuery;
import io.stowline.table.internal.query.PointReads;
import io.stowline.table.internal.query.QueryPlan;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactiveTable} that delivers the operations of its {@link TableContext}. */
final class DefaultReactiveTable<T> extends TableView<T, ReactiveTable<T>> implements ReactiveTable<T> {

    DefaultReactiveTable(TableContext<T> context) {
        super(context);
    }

    @Override
    ReactiveTable<T> of(TableContext<T> other) {
        return new DefaultReactiveTable<>(other);
    }

    @Override
    public Mono<Void> create() {
        return delivered(context.operations().create());
    }

    @Override
    public Mono<Boolean> createIfMissing() {
        return delivered(context.operations().createIfMissing());
    }

    @Override
    public Mono<Boolean> exists() {
        return delivered(context.operations().exists());
    }

    @Override
    public Mono<Void> drop() {
        return delivered(context.operations().delete());
    }

    @Override
    public Mono<Boolean> dropIfExists() {
        return delivered(context.operations().deleteIfExists());
    }

    @Override
    public TableSasBuilder<Mono<SharedAccessSignature>> sas() {
        return new DefaultTableSasBuilder<>(context.service().signer(), name(), this::delivered);
    }

    @Override
    public ReactiveAccessPolicies<TableSasBuilder<?>> policies() {
        return new DefaultReactiveAccessPolicies<>(
                context.policies(),
                () -> new DefaultTableSasBuilder<>(context.service().signer(), name(), PolicyOperations.UNSIGNED),
                context.service().delivery());
    }

    @Override
    public Mono<WriteResult> insert(T value) {
        return write(() -> context.encode(EntityVerb.INSERT, value));
    }

    @Override
    public Mono<WriteResult> claim(T value) {
        return delivered(Mono.defer(
                () -> context.operations().claim(UserCode.call(() -> context.encode(EntityVerb.INSERT, value)))));
    }

    @Override
    public Mono<WriteResult> insertOrMerge(T value) {
        return write(() -> context.encode(EntityVerb.INSERT_OR_MERGE, value));
    }

    @Override
    public Mono<WriteResult> insertOrReplace(T value) {
        return write(() -> context.encode(EntityVerb.INSERT_OR_REPLACE, value));
    }

    @Override
    public Mono<WriteResult> replace(StoredEntity<T> stored) {
        return write(() -> context.encode(EntityVerb.REPLACE, stored));
    }

    @Override
    public Mono<WriteResult> merge(StoredEntity<T> stored) {
        return write(() -> context.encode(EntityVerb.MERGE, stored));
    }

    @Override
    public ReactiveEntityMerge<T> merge(String partitionKey, String rowKey) {
        return new DefaultReactiveEntityMerge<>(EntityMergePlan.of(context, partitionKey, rowKey));
    }

    @Override
    public Mono<WriteResult> delete(StoredEntity<T> stored) {
        return write(() -> context.encodeDelete(stored));
    }

    @Override
    public Mono<WriteResult> delete(T value) {
        return write(() -> context.encodeDelete(value));
    }

    @Override
    public Mono<WriteResult> delete(String partitionKey, String rowKey) {
        return write(() -> context.encodeDelete(partitionKey, rowKey));
    }

    @Override
    public Mono<Boolean> deleteIfExists(String partitionKey, String rowKey) {
        return delivered(
                Mono.defer(() -> context.operations().deleteIfExists(context.encodeDelete(partitionKey, rowKey))));
    }

    @Override
    public Mono<StoredEntity<T>> find(String partitionKey, String rowKey) {
        return new PointReads<>(context).found(partitionKey, rowKey);
    }

    @Override
    public Mono<List<StoredEntity<T>>> findAll(Collection<EntityKey> keys) {
        Objects.requireNonNull(keys, "keys");
        PointReads<T> reads = new PointReads<>(context);
        return context.service()
                .delivered(Flux.defer(() -> reads.all(keys)))
                .map(UserCode.contained(reads::decoded))
                .collectList()
                .map(Collections::unmodifiableList);
    }

    @Override
    public Mono<StoredEntity<T>> modify(String partitionKey, String rowKey, UnaryOperator<T> change) {
        Objects.requireNonNull(change, "change");
        return Mono.defer(() -> new EntityModification<>(context, partitionKey, rowKey, change).mono());
    }

    @Override
    public ReactiveQuery<T> query() {
        return new DefaultReactiveQuery<>(QueryPlan.of(context));
    }

    @Override
    public ReactiveTransaction<T> transaction(String partitionKey) {
        return new DefaultReactiveTransaction<>(TransactionSteps.of(context, partitionKey));
    }

    @Override
    public ReactiveTableWriter<T> writer(UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultReactiveTableWriter<>(new LaneWriter<>(context, settings));
    }

    @Override
    public ReactiveTableWriter<T> writer(WriterJournal journal, UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultReactiveTableWriter<>(JournaledWriter.open(context, settings, journal));
    }

    @Override
    public <R> ReactiveTable<R> as(Class<R> view) {
        return new DefaultReactiveTable<>(context.as(view));
    }

    @Override
    public <V> ReactiveTimeSeries<V> series(String name, Class<V> values, TimeSeries.Layout layout) {
        TimeSeriesSlots<V> slots = new TimeSeriesSlots<>(name, values, layout);
        return new DefaultReactiveTimeSeries<>(
                new DefaultReactiveTable<>(context.with(new EntityObjectCodec(slots.select()))), slots);
    }

    @Override
    public <V> ReactiveRollingSeries<V> series(String name, Class<V> values, RollingSeries.Ring ring) {
        return new DefaultReactiveRollingSeries<>(
                RollingOperations.of(context, new RollingSlots<>(name, values, ring)));
    }

    @Override
    public ReactiveIndexedTable<T> indexed(List<? extends Index<T, ?>> indexes) {
        Objects.requireNonNull(indexes, "indexes");
        IndexedContext<T> indexed = IndexedContext.of(context, indexes);
        return new DefaultReactiveIndexedTable<>(indexed, new DefaultReactiveTable<>(indexed.entityView()));
    }

    @Override
    public ReactiveCachedTable<T> cached(Freshness freshness) {
        return new DefaultReactiveCachedTable<>(context, freshness);
    }

    private Mono<WriteResult> write(Supplier<EncodedOperation> operation) {
        return context.deliver(operation);
    }

    private <R> Mono<R> delivered(Mono<R> result) {
        return context.service().delivered(result);
    }

    @Override
    public String toString() {
        return "ReactiveTable[" + name() + "]";
    }
}
