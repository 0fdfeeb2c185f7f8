package io.stowline.table.internal.client;

import io.stowline.outcome.WriteResult;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import io.stowline.table.IndexedTable;
import io.stowline.table.Query;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.Transaction;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.index.IndexedContext;
import io.stowline.table.internal.index.IndexedReads;
import io.stowline.table.internal.index.IndexedWriter;
import io.stowline.table.internal.index.IndexedWrites;
import io.stowline.table.internal.index.journal.JournaledIndexedWriter;
import io.stowline.table.internal.index.repair.IndexBackfill;
import io.stowline.table.internal.index.repair.IndexRepair;
import io.stowline.table.internal.operation.DefaultTableWriter;
import io.stowline.table.internal.operation.DefaultTransaction;
import io.stowline.table.internal.operation.TableHolder;
import io.stowline.table.internal.operation.TransactionSteps;
import io.stowline.table.internal.query.DefaultQuery;
import io.stowline.table.internal.query.PageStream;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** {@link IndexedTable} that waits for the reads, writes and repairs of its indexes. */
public final class DefaultIndexedTable<T> implements IndexedTable<T>, TableHolder<T> {

    private final IndexedContext<T> context;
    private final Table<T> table;
    private final IndexedWrites<T> writes;
    private final IndexedReads<T> reads;
    private final IndexRepair<T> repair;
    private final IndexBackfill<T> backfill;

    public DefaultIndexedTable(IndexedContext<T> context, Table<T> table) {
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
    public Table<T> table() {
        return table;
    }

    @Override
    public ReactiveIndexedTable<T> reactive() {
        return new DefaultReactiveIndexedTable<>(context, table.reactive());
    }

    @Override
    public IndexedTable<T> withGrace(Duration age) {
        return new DefaultIndexedTable<>(context.withGrace(age), table);
    }

    @Override
    public WriteResult insert(T value) {
        return BlockingAwait.result(writes.insert(value));
    }

    @Override
    public WriteResult insertOrReplace(T value) {
        return BlockingAwait.result(writes.insertOrReplace(value));
    }

    @Override
    public WriteResult replace(StoredEntity<T> stored) {
        return BlockingAwait.result(writes.replace(stored));
    }

    @Override
    public WriteResult delete(StoredEntity<T> stored) {
        return BlockingAwait.result(writes.delete(stored));
    }

    @Override
    public Transaction<T> transaction(String partitionKey) {
        return new DefaultTransaction<>(TransactionSteps.of(context, partitionKey));
    }

    @Override
    public TableWriter<T> writer(UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultTableWriter<>(new IndexedWriter<>(context, settings));
    }

    @Override
    public Optional<StoredEntity<T>> find(String partitionKey, String rowKey) {
        return Optional.ofNullable(BlockingAwait.on(reads.entity(partitionKey, rowKey)));
    }

    @Override
    public <V> Optional<T> find(Index<T, V> index, String partitionKey, V value) {
        return Optional.ofNullable(BlockingAwait.on(reads.copy(index, partitionKey, value)));
    }

    @Override
    public Query<T> query() {
        return new DefaultQuery<>(reads.entities());
    }

    @Override
    public Stream<T> stream(Index<T, ?> index, String partitionKey) {
        return PageStream.values(reads.copies(index, partitionKey));
    }

    @Override
    public <V> Stream<T> stream(Index<T, V> index, String partitionKey, V value) {
        return PageStream.values(reads.copies(index, partitionKey, value));
    }

    @Override
    public <V> Stream<T> range(Index<T, V> index, String partitionKey, V from, V below) {
        return PageStream.values(reads.copies(index, partitionKey, from, below));
    }

    @Override
    public <V> Stream<T> rangeFrom(Index<T, V> index, String partitionKey, V from) {
        return PageStream.values(reads.copiesFrom(index, partitionKey, from));
    }

    @Override
    public <V> Stream<StoredEntity<T>> global(Index<T, V> index, V value) {
        return PageStream.values(reads.references(index, value))
                .flatMap(reference -> Stream.ofNullable(BlockingAwait.on(reads.entity(index, value, reference))));
    }

    @Override
    public <V> Optional<StoredEntity<T>> findStored(Index<T, V> index, String partitionKey, V value) {
        return Optional.ofNullable(BlockingAwait.on(reads.stored(index, partitionKey, value)));
    }

    @Override
    public Query.Page<T> page(IndexLookup<T> lookup) {
        return BlockingAwait.result(reads.page(lookup, null));
    }

    @Override
    public Query.Page<T> page(IndexLookup<T> lookup, String token) {
        return BlockingAwait.result(reads.page(lookup, Objects.requireNonNull(token, "token")));
    }

    @Override
    public Query.Page<StoredEntity<T>> pageStored(IndexLookup<T> lookup) {
        return BlockingAwait.result(reads.pageStored(lookup, null));
    }

    @Override
    public Query.Page<StoredEntity<T>> pageStored(IndexLookup<T> lookup, String token) {
        return BlockingAwait.result(reads.pageStored(lookup, Objects.requireNonNull(token, "token")));
    }

    @Override
    public IndexReport repair(String partitionKey) {
        return BlockingAwait.result(repair.partition(partitionKey));
    }

    @Override
    public IndexReport repair(BiConsumer<? super String, ? super IndexReport> progress) {
        return BlockingAwait.result(repair.table(null, Objects.requireNonNull(progress, "progress")));
    }

    @Override
    public IndexReport repairFrom(String partitionKey, BiConsumer<? super String, ? super IndexReport> progress) {
        Objects.requireNonNull(partitionKey, "partitionKey");
        return BlockingAwait.result(repair.table(partitionKey, Objects.requireNonNull(progress, "progress")));
    }

    @Override
    public TableWriter<T> writer(WriterJournal journal, UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultTableWriter<>(JournaledIndexedWriter.open(context, settings, journal));
    }

    @Override
    public TableWriter<T> entityWriter(UnaryOperator<WriterSettings.Builder> settings) {
        return new DefaultTableWriter<>(IndexedWriter.ofEntities(context, settings));
    }

    @Override
    public IndexReport backfill(BiConsumer<? super String, ? super IndexReport> progress) {
        return BlockingAwait.result(backfill.table(null, Objects.requireNonNull(progress, "progress")));
    }

    @Override
    public IndexReport backfillFrom(String partitionKey, BiConsumer<? super String, ? super IndexReport> progress) {
        Objects.requireNonNull(partitionKey, "partitionKey");
        return BlockingAwait.result(backfill.table(partitionKey, Objects.requireNonNull(progress, "progress")));
    }

    @Override
    public String toString() {
        return "Indexed[" + context.table() + "]";
    }
}
