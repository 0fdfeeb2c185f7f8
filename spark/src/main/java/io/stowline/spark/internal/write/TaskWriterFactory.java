package io.stowline.spark.internal.write;

import io.stowline.spark.internal.account.ClientShare;
import io.stowline.spark.internal.account.ExecutorClients;
import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.option.Clustering;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;

/** The maker of the writers of tasks, which an executor gets: settings and names, no secret. Immutable. */
final class TaskWriterFactory implements DataWriterFactory, StreamingDataWriterFactory {

    private static final long serialVersionUID = 1L;

    private final AzureTableOptions options;
    private final RowEntities entities;
    private final RowMarker marker;
    private final double rowsPerSecond;

    /**
     * Makes a factory.
     *
     * @param rowsPerSecond the bound of each task; zero for none
     */
    TaskWriterFactory(AzureTableOptions options, RowEntities entities, RowMarker marker, double rowsPerSecond) {
        this.options = options;
        this.entities = entities;
        this.marker = marker;
        this.rowsPerSecond = rowsPerSecond;
    }

    /** A key in two tasks would pass as a second try of one; without clustering, each task has a marker for itself. */
    @Override
    public DataWriter<InternalRow> createWriter(int partition, long task) {
        return writer(options.clustering() == Clustering.REQUIRED ? marker : marker.of(String.valueOf(partition)));
    }

    /** A restarted query may divide an epoch into other tasks. */
    @Override
    public DataWriter<InternalRow> createWriter(int partition, long task, long epoch) {
        return writer(marker.of(String.valueOf(epoch)));
    }

    private TaskWriter writer(RowMarker part) {
        TaskContext task = TaskContext.get();
        boolean repeated = task.attemptNumber() > 0 || task.stageAttemptNumber() > 0;
        ClientShare share = ExecutorClients.ofThisJvm().share(options.account());
        try {
            TaskRows rows = new TaskRows(share.table(options.table()), options.writeMode(), part, repeated);
            return new TaskWriter(entities, rows, part, RowPace.of(rowsPerSecond), share::close);
        } catch (RuntimeException e) {
            share.close();
            throw e;
        }
    }
}
