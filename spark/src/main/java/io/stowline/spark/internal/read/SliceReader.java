package io.stowline.spark.internal.read;

import io.stowline.projection.filter.Filter;
import io.stowline.spark.internal.account.ClientShare;
import io.stowline.spark.internal.account.ExecutorClients;
import io.stowline.spark.internal.account.TaskCounts;
import io.stowline.spark.internal.schema.StoredColumn;
import io.stowline.spark.internal.schema.TableSchema;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.ScanPolicy;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** A reader of one slice: the results of one query as rows, page by page as the task takes them. For one thread. */
final class SliceReader implements PartitionReader<InternalRow> {

    private static final Duration COUNTED = Duration.ofSeconds(1);

    /** The entities between the page and the task. */
    private static final int BUFFERED = 128;

    private final String table;
    private final List<StoredColumn> columns;
    private final KeySlice slice;
    private final TaskCounts counts = new TaskCounts();
    private final ClientShare share;
    private final Stream<Entity> stream;
    private final Iterator<Entity> entities;
    private @Nullable Entity entity;
    private long read;

    /** Begins to read. */
    SliceReader(ScanTask task, KeySlice slice) {
        this.table = task.options().table();
        this.columns = task.columns();
        this.slice = slice;
        this.share = ExecutorClients.ofThisJvm().share(task.options().account());
        try {
            ReactiveQuery<Entity> query = query(task, slice, share);
            this.stream = query.stream().contextWrite(counts.context()).toStream(BUFFERED);
            this.entities = stream.iterator();
        } catch (RuntimeException e) {
            share.close();
            throw e;
        }
    }

    private static ReactiveQuery<Entity> query(ScanTask task, KeySlice slice, ClientShare share) {
        ReactiveQuery<Entity> query = share.client()
                .reactive()
                .table(task.options().table())
                .withScanPolicy(ScanPolicy.ALLOW)
                .query();
        query = slice.within(query);
        if (!task.filter().isEmpty()) {
            query = query.where(Filter.raw(task.filter()));
        }
        if (task.limit() > 0) {
            query = query.limit(task.limit());
        }
        return query.select(task.columns().stream()
                .map(StoredColumn::name)
                .filter(name -> !TableSchema.isKey(name))
                .toArray(String[]::new));
    }

    @Override
    public boolean next() {
        boolean more = entities.hasNext();
        entity = more ? entities.next() : null;
        read += more ? 1 : 0;
        if (!more) {
            counts.awaitEnds(COUNTED);
        }
        return more;
    }

    @Override
    public InternalRow get() {
        Entity current = entity;
        if (current == null) {
            throw new NoSuchElementException("next has returned no row");
        }
        Object[] values = new Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(current, columns.get(i));
        }
        return new GenericInternalRow(values);
    }

    private @Nullable Object value(Entity current, StoredColumn column) {
        return switch (column.name()) {
            case TableSchema.PARTITION_KEY -> UTF8String.fromString(current.partitionKey());
            case TableSchema.ROW_KEY -> UTF8String.fromString(current.rowKey());
            case TableSchema.TIMESTAMP ->
                current.timestamp() == null ? null : (Object) StoredColumn.micros(current.timestamp());
            default -> property(current, column);
        };
    }

    private @Nullable Object property(Entity current, StoredColumn column) {
        return property(table, current, column);
    }

    /**
     * Returns the value of a property as Spark keeps it.
     *
     * @throws IllegalArgumentException if it has another type than the column, naming both and the entity
     */
    static @Nullable Object property(String table, Entity current, StoredColumn column) {
        Object value = current.get(column.name());
        try {
            return value == null ? null : column.rowValue(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "table " + table + ": " + e.getMessage() + ". The entity is (" + current.partitionKey() + ", "
                            + current.rowKey() + ")",
                    e);
        }
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
        return ReadMetrics.of(read, slice.queries(), counts);
    }

    /** Closes the query, whose page in flight is cancelled, and leaves the client to other tasks. */
    @Override
    public void close() {
        try {
            stream.close();
        } finally {
            share.close();
        }
    }
}
