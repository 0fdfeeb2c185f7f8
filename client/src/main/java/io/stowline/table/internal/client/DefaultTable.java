package io.stowline.table.internal.client;

import io.stowline.access.AccessPolicies;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.TableSasBuilder;
import io.stowline.access.internal.DefaultTableSasBuilder;
import io.stowline.access.internal.policy.DefaultAccessPolicies;
import io.stowline.access.internal.policy.PolicyOperations;
import io.stowline.caching.Freshness;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.Mapping;
import io.stowline.table.CachedTable;
import io.stowline.table.EntityKey;
import io.stowline.table.EntityMerge;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.Query;
import io.stowline.table.ReactiveTable;
import io.stowline.table.RollingSeries;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.TimeSeries;
import io.stowline.table.Transaction;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.index.IndexedContext;
import io.stowline.table.internal.operation.DefaultTableWriter;
import io.stowline.table.internal.operation.DefaultTransaction;
import io.stowline.table.internal.operation.JournaledWriter;
import io.stowline.table.internal.operation.LaneWriter;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.operation.TransactionSteps;
import io.stowline.table.internal.query.DefaultQuery;
import io.stowline.table.internal.query.PointReads;
import io.stowline.table.internal.query.QueryPlan;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** {@link Table} that waits for the operations of its {@link TableContext}. */
public final class DefaultTable<T> extends TableView<T, Table<T>> implements Table<T> {

    DefaultTable(TableContext<T> context) {
        super(context);
    }

    @Override
    Table<T> of(TableContext<T> other) {
        return new DefaultTable<>(other);
    }

    public static <T> Table<T> of(TableService service, String name, Class<T> type, Mapping mapping) {
        return new DefaultTable<>(
                new TableContext<>(service, service.table(name), TableContext.keyedCodec(type, mapping), mapping));
    }

    @Override
    public ReactiveTable<T> reactive() {
        return new DefaultReactiveTable<>(context);
    }

    @Override
    public void create() {
        BlockingAwait.on(context.operations().create());
    }

    @Override
    public boolean createIfMissing() {
        return BlockingAwait.result(context.operations().createIfMissing());
    }

    @Override
    public boolean exists() {
        return BlockingAwait.result(context.operations().exists());
    }

    @Override
    public void drop() {
        BlockingAwait.on(context.operations().delete());
    }

    @Override
    public boolean dropIfExists() {
        return BlockingAwait.result(context.operations().deleteIfExists());
    }

    @Override
    public TableSasBuilder<SharedAccessSignature> sas() {
        return new DefaultTableSasBuilder<>(context.service().signer(), name(), BlockingAwait::result);
    }

    @Override
    public AccessPolicies<TableSasBuilder<?>> policies() {
        return new DefaultAccessPolicies<>(
                context.policies(),
                () -> new DefaultTableSasBuilder<>(context.service().signer(), name(), PolicyOperations.UNSIGNED));
    }

    @Override
    public WriteResult insert(T value) {
        return write(context.encode(EntityVerb.INSERT, value));
    }

    @Override
    public WriteResult claim(T value) {
        return BlockingAwait.result(context.operations().claim(context.encode(EntityVerb.INSERT, value)));
    }

    @Override
    public WriteResult insertOrMerge(T value) {
        return write(context.encode(EntityVerb.INSERT_OR_MERGE, value));
    }

    @Override
    public WriteResult insertOrReplace(T value) {
        return write(context.encode(EntityVerb.INSERT_OR_REPLACE, value));
    }

    @Override
    public WriteResult merge(StoredEntity<T> stored) {
        return write(context.encode(EntityVerb.MERGE, stored));
    }

    @Override
    public WriteResult replace(StoredEntity<T> stored) {
        return write(context.encode(EntityVerb.REPLACE, stored));
    }

    @Override
    public EntityMerge<T> merge(String partitionKey, String rowKey) {
        return new DefaultEntityMerge<>(EntityMergePlan.of(context, partitionKey, rowKey));
    }

    @Override
    public WriteResult delete(StoredEntity<T> stored) {
        return write(context.encodeDelete(stored));
    }

    @Override
    public WriteResult delete(T value) {
        return write(context.encodeDelete(value));
    }

    @Override
    public WriteResult delete(String partitionKey, String rowKey) {
        return write(context.encodeDelete(partitionKey, rowKey));
    }

    @Override
    public boolean deleteIfExists(String partitionKey, String rowKey) {
        return BlockingAwait.result(context.operations().deleteIfExists(context.encodeDelete(partitionKey, rowKey)));
    }

    @Override
    public Optional<StoredEntity<T>> find(String partitionKey, String rowKey) {
        PointReads<T> reads = new PointReads<>(context);
        return Optional.ofNullable(BlockingAwait.on(reads.one(new EntityKey(partitionKey, rowKey))))
                .map(reads::decoded);
    }

    @Override
    public List<StoredEntity<T>> findAll(Collection<EntityKey> keys) {
        PointReads<T> reads = new PointReads<>(context);
        List<StoredEntity<T>> found = new ArrayList<>();
        BlockingAwait.each(reads.all(keys), 1, response -> found.add(reads.decoded(response)));
        return Collections.unmodifiableList(found);
    }

    @Override
    public Optional<StoredEntity<T>> modify(String partitionKey, String rowKey, UnaryOperator<T> change) {
        return new EntityModification<>(context, partitionKey, rowKey, change).await();
    }

    @Override
    public Query<T> query() {
        return new DefaultQuery<>(QueryPlan.of(context));
    }

    @Override
    public Transaction<T> transaction(String partitionKey) {
        return new DefaultTransaction<>(TransactionSteps.of(context, partitionKey));
    }

    @Override
    public TableWriter<T> writer(UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultTableWriter<>(new LaneWriter<>(context, settings));
    }

    @Override
    public TableWriter<T> writer(WriterJournal journal, UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultTableWriter<>(JournaledWriter.open(context, settings, journal));
    }

    @Override
    public <R> Table<R> as(Class<R> view) {
        return new DefaultTable<>(context.as(view));
    }

    @Override
    public <V> TimeSeries<V> series(String name, Class<V> values, TimeSeries.Layout layout) {
        TimeSeriesSlots<V> slots = new TimeSeriesSlots<>(name, values, layout);
        return new DefaultTimeSeries<>(new DefaultTable<>(context.with(new EntityObjectCodec(slots.select()))), slots);
    }

    @Override
    public <V> RollingSeries<V> series(String name, Class<V> values, RollingSeries.Ring ring) {
        return new DefaultRollingSeries<>(RollingOperations.of(context, new RollingSlots<>(name, values, ring)));
    }

    @Override
    public IndexedTable<T> indexed(List<? extends Index<T, ?>> indexes) {
        Objects.requireNonNull(indexes, "indexes");
        IndexedContext<T> indexed = IndexedContext.of(context, indexes);
        return new DefaultIndexedTable<>(indexed, new DefaultTable<>(indexed.entityView()));
    }

    @Override
    public CachedTable<T> cached(Freshness freshness) {
        return new DefaultCachedTable<>(context, freshness);
    }

    private WriteResult write(EncodedOperation operation) {
        return BlockingAwait.result(context.write(operation));
    }

    @Override
    public String toString() {
        return "Table[" + name() + "]";
    }
}
