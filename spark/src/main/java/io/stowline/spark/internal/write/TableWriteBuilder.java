package io.stowline.spark.internal.write;

import io.stowline.spark.internal.option.AzureTableOptions;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.internal.connector.SupportsStreamingUpdateAsAppend;

/** The builder of a write, which checks its columns and refuses the modes of Spark that no step of the service can keep. */
public final class TableWriteBuilder implements SupportsTruncate, SupportsStreamingUpdateAsAppend {

    private final AzureTableOptions options;
    private final LogicalWriteInfo info;

    /**
     * Begins a write.
     *
     * @param options the options of the write
     * @param info the columns and the id of the write
     */
    public TableWriteBuilder(AzureTableOptions options, LogicalWriteInfo info) {
        this.options = options;
        this.info = info;
    }

    /**
     * Refuses mode overwrite and output mode complete.
     *
     * @throws UnsupportedOperationException always, with the reason
     */
    @Override
    public WriteBuilder truncate() {
        throw new UnsupportedOperationException("azuretable does not overwrite the table " + options.table()
                + ": a deleted table blocks its name for 30 seconds and more, and a removal row by row is no atomic"
                + " step; write with mode append (writeMode upsert-replace replaces entities), into a new table, or"
                + " remove entities with writeMode delete first");
    }

    @Override
    public Write build() {
        RowMarker marker =
                new RowMarker(options.markerColumn(), options.writeId().isEmpty() ? info.queryId() : options.writeId());
        return new TableWrite(options, new RowEntities(info.schema(), options, marker), marker);
    }
}
