package io.stowline.spark.internal.write;

import io.stowline.spark.internal.account.ClientShare;
import io.stowline.spark.internal.account.ExecutorClients;
import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.option.Clustering;
import io.stowline.spark.internal.schema.TableSchema;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;

/**
 * A planned write. One task has all rows of a partition of the table, in the order of their keys, so that transactions are full and no two tasks
 * write to a partition. Each row is idempotent, and nothing else is promised: a failed write leaves the rows that it wrote.
 */
final class TableWrite implements RequiresDistributionAndOrdering, BatchWrite, StreamingWrite {

    private final AzureTableOptions options;
    private final RowEntities entities;
    private final RowMarker marker;
    private WriteCounts unshown = WriteCounts.NONE;

    TableWrite(AzureTableOptions options, RowEntities entities, RowMarker marker) {
        this.options = options;
        this.entities = entities;
        this.marker = marker;
    }

    @Override
    public String description() {
        return "azuretable " + options.table() + " " + options.writeMode().option();
    }

    @Override
    public Distribution requiredDistribution() {
        return options.clustering() == Clustering.NONE
                ? Distributions.unspecified()
                : Distributions.clustered(new Expression[] {Expressions.column(TableSchema.PARTITION_KEY)});
    }

    @Override
    public boolean distributionStrictlyRequired() {
        return options.clustering() == Clustering.REQUIRED;
    }

    @Override
    public SortOrder[] requiredOrdering() {
        return new SortOrder[] {ascending(TableSchema.PARTITION_KEY), ascending(TableSchema.ROW_KEY)};
    }

    private static SortOrder ascending(String column) {
        return Expressions.sort(Expressions.column(column), SortDirection.ASCENDING);
    }

    @Override
    public BatchWrite toBatch() {
        return this;
    }

    /**
     * Returns itself.
     *
     * @throws IllegalArgumentException with a {@code writeId}: a query keeps its id by its checkpoint
     */
    @Override
    public StreamingWrite toStreaming() {
        if (!options.writeId().isEmpty()) {
            throw new IllegalArgumentException(
                    "writeId is not for streams, whose checkpoint keeps the id; leave it out");
        }
        return this;
    }

    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
        return factory(info);
    }

    @Override
    public StreamingDataWriterFactory createStreamingWriterFactory(PhysicalWriteInfo info) {
        return factory(info);
    }

    private TaskWriterFactory factory(PhysicalWriteInfo info) {
        if (options.createTable()) {
            try (ClientShare share = ExecutorClients.ofThisJvm().share(options.account())) {
                share.table(options.table()).createIfMissing();
            }
        }
        return new TaskWriterFactory(
                options, entities, marker, share(options.entitiesPerSecond(), info.numPartitions(), slots()));
    }

    /** Returns the rows per second of one of the tasks that run at a time. */
    static double share(int entitiesPerSecond, int tasks, int slots) {
        return (double) entitiesPerSecond / Math.max(1, Math.min(tasks, slots));
    }

    /** The slots of the cluster at present; executors that come later make the write faster than its bound. */
    private static int slots() {
        var context = SparkSession.active().sparkContext();
        return context.defaultParallelism() / Math.max(1, context.conf().getInt("spark.task.cpus", 1));
    }

    /** Two tries of a task may commit: each row is idempotent. */
    @Override
    public boolean useCommitCoordinator() {
        return false;
    }

    @Override
    public void commit(WriterCommitMessage[] commits) {
        unshown = TaskCommit.unshown(commits);
    }

    @Override
    public void abort(WriterCommitMessage[] commits) {
        // rows that are written stay: no transaction spans partitions
    }

    @Override
    public void commit(long epoch, WriterCommitMessage[] commits) {
        commit(commits);
    }

    @Override
    public void abort(long epoch, WriterCommitMessage[] commits) {
        abort(commits);
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return WriteCounts.sums();
    }

    @Override
    public CustomTaskMetric[] reportDriverMetrics() {
        return unshown.metrics();
    }

    @Override
    public String toString() {
        return description();
    }
}
