package io.stowline.spark.internal.write;

import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/** The writer of one task. Its commit is a barrier: every row has its end then. For the thread of the task. */
final class TaskWriter implements DataWriter<InternalRow> {

    private final RowEntities entities;
    private final TaskRows rows;
    private final RowMarker marker;
    private final RowPace pace;
    private final Runnable release;
    private @Nullable Entity before;
    private WriteCounts shown = WriteCounts.NONE;

    /**
     * Makes a writer.
     *
     * @param marker the marker of its rows
     * @param release ends the use of the client
     */
    TaskWriter(RowEntities entities, TaskRows rows, RowMarker marker, RowPace pace, Runnable release) {
        this.entities = entities;
        this.rows = rows;
        this.marker = marker;
        this.pace = pace;
        this.release = release;
    }

    @Override
    public void write(InternalRow row) throws IOException {
        Entity entity = entities.entity(row, marker);
        if (before != null && rows.refusesDuplicates() && sameKeys(before, entity)) {
            throw FailedRows.refused(
                    rows.table(),
                    new EntityKey(entity.partitionKey(), entity.rowKey()),
                    new IllegalArgumentException("two rows have these keys; mode insert writes each key once"));
        }
        before = entity;
        try {
            pace.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw TaskRows.interrupted(e);
        }
        rows.add(entity);
    }

    private static boolean sameKeys(Entity one, Entity other) {
        return one.rowKey().equals(other.rowKey()) && one.partitionKey().equals(other.partitionKey());
    }

    @Override
    public WriterCommitMessage commit() throws IOException {
        rows.flush();
        return new TaskCommit(rows.counts(), rows.counts().minus(shown));
    }

    @Override
    public void abort() {
        rows.discard();
    }

    @Override
    public void close() {
        try {
            rows.close();
        } finally {
            release.run();
        }
    }

    /** Returns the counts so far. Spark reads them for the last time before the commit, which reports the others. */
    @Override
    public CustomTaskMetric[] currentMetricsValues() {
        shown = rows.counts();
        return shown.metrics();
    }
}
