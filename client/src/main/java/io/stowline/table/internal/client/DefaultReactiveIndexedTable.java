package io.stowline.table.internal.client;

import io.stowline.outcome.WriteResult;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.Query;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.ReactiveTable;
import io.stowline.table.ReactiveTableWriter;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.StoredEntity;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.index.IndexedContext;
import io.stowline.table.internal.index.IndexedReads;
import io.stowline.table.internal.index.IndexedWriter;
import io.stowline.table.internal.index.IndexedWrites;
import io.stowline.table.internal.index.journal.JournaledIndexedWriter;
import io.stowline.table.internal.index.repair.IndexBackfill;
import io.stowline.table.internal.index.repair.IndexRepair;
import io.stowline.table.internal.operation.DefaultReactiveTableWriter;
import io.stowline.table.internal.operation.DefaultReactiveTransaction;
import io.stowline.table.internal.operation.TableHolder;
import io.stowline.table.internal.operation.TransactionSteps;
import io.stowline.table.internal.query.DefaultReactiveQuery;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactiveIndexedTable} over the reads, writes and repairs of its indexes. */
public final class DefaultReactiveIndexedTable<T> implements ReactiveIndexedTable<T>, TableHolder<T> {

    private final IndexedContext<T> context;
    private final ReactiveTable<T> table;
    private final IndexedWrites<T> writes;
    private final IndexedReads<T> reads;
    private final IndexRepair<T> repair;
    private final IndexBackfill<T> backfill;

    public DefaultReactiveIndexedTable(IndexedContext<T> context, ReactiveTable<T> table) {
        this.table = table;
        this.context = context;
        this.writes = new IndexedWrites<>(context);
        this.reads = new IndexedReads<>(context);
        this.repair = new IndexRepair<>(context);
        this.backfill = new IndexBackfill<>(context);
    }

    @Override
    public IndexedContext<T> member() {
        return context;
    }

    @Override
    public ReactiveTable<T> table() {
        return table;
    }

    @Override
    public ReactiveIndexedTable<T> withGrace(Duration age) {
        return new DefaultReactiveIndexedTable<>(context.withGrace(age), table);
    }

    @Override
    public Mono<WriteResult> insert(T value) {
        return writes.insert(value);
    }

    @Override
    public Mono<WriteResult> insertOrReplace(T value) {
        return writes.insertOrReplace(value);
    }

    @Override
    public Mono<WriteResult> replace(StoredEntity<T> stored) {
        return writes.replace(stored);
    }

    @Override
    public Mono<WriteResult> delete(StoredEntity<T> stored) {
        return writes.delete(stored);
    }

    @Override
    public ReactiveTransaction<T> transaction(String partitionKey) {
        return new DefaultReactiveTransaction<>(TransactionSteps.of(context, partitionKey));
    }

    @Override
    public ReactiveTableWriter<T> writer(UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultReactiveTableWriter<>(new IndexedWriter<>(context, settings));
    }

    @Override
    public Mono<StoredEntity<T>> find(String partitionKey, String rowKey) {
        return reads.entity(partitionKey, rowKey);
    }

    @Override
    public <V> Mono<T> find(Index<T, V> index, String partitionKey, V value) {
        return reads.copy(index, partitionKey, value);
    }

    @Override
    public ReactiveQuery<T> query() {
        return new DefaultReactiveQuery<>(reads.entities());
    }

    @Override
    public Flux<T> stream(Index<T, ?> index, String partitionKey) {
        return Flux.defer(() -> new DefaultReactiveQuery<>(reads.copies(index, partitionKey)).stream());
    }

    @Override
    public <V> Flux<T> stream(Index<T, V> index, String partitionKey, V value) {
        return Flux.defer(() -> new DefaultReactiveQuery<>(reads.copies(index, partitionKey, value)).stream());
    }

    @Override
    public <V> Flux<T> range(Index<T, V> index, String partitionKey, V from, V below) {
        return Flux.defer(() -> new DefaultReactiveQuery<>(reads.copies(index, partitionKey, from, below)).stream());
    }

    @Override
    public <V> Flux<T> rangeFrom(Index<T, V> index, String partitionKey, V from) {
        return Flux.defer(() -> new DefaultReactiveQuery<>(reads.copiesFrom(index, partitionKey, from)).stream());
    }

    @Override
    public <V> Flux<StoredEntity<T>> global(Index<T, V> index, V value) {
        return reads.elsewhere(index, value);
    }

    @Override
    public <V> Mono<StoredEntity<T>> findStored(Index<T, V> index, String partitionKey, V value) {
        return reads.stored(index, partitionKey, value);
    }

    @Override
    public Mono<Query.Page<T>> page(IndexLookup<T> lookup) {
        return reads.page(lookup, null);
    }

    @Override
    public Mono<Query.Page<T>> page(IndexLookup<T> lookup, String token) {
        return reads.page(lookup, Objects.requireNonNull(token, "token"));
    }

    @Override
    public Mono<Query.Page<StoredEntity<T>>> pageStored(IndexLookup<T> lookup) {
        return reads.pageStored(lookup, null);
    }

    @Override
    public Mono<Query.Page<StoredEntity<T>>> pageStored(IndexLookup<T> lookup, String token) {
        return reads.pageStored(lookup, Objects.requireNonNull(token, "token"));
    }

    @Override
    public Mono<IndexReport> repair(String partitionKey) {
        return Mono.defer(() -> repair.partition(partitionKey));
    }

    @Override
    public Mono<IndexReport> repair(BiConsumer<? super String, ? super IndexReport> progress) {
        return repair.table(null, Objects.requireNonNull(progress, "progress"));
    }

    @Override
    public Mono<IndexReport> repairFrom(String partitionKey, BiConsumer<? super String, ? super IndexReport> progress) {
        Objects.requireNonNull(partitionKey, "partitionKey");
        return repair.table(partitionKey, Objects.requireNonNull(progress, "progress"));
    }

    @Override
    public ReactiveTableWriter<T> writer(WriterJournal journal, UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultReactiveTableWriter<>(JournaledIndexedWriter.open(context, settings, journal));
    }

    @Override
    public ReactiveTableWriter<T> entityWriter(UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultReactiveTableWriter<>(IndexedWriter.ofEntities(context, settings));
    }

    @Override
    public Mono<IndexReport> backfill(BiConsumer<? super String, ? super IndexReport> progress) {
        return backfill.table(null, Objects.requireNonNull(progress, "progress"));
    }

    @Override
    public Mono<IndexReport> backfillFrom(
            String partitionKey, BiConsumer<? super String, ? super IndexReport> progress) {
        Objects.requireNonNull(partitionKey, "partitionKey");
        return backfill.table(partitionKey, Objects.requireNonNull(progress, "progress"));
    }

    @Override
    public String toString() {
        return "ReactiveIndexed[" + context.table() + "]";
    }
}
