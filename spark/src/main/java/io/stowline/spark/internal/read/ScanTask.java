package io.stowline.spark.internal.read;

import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.schema.StoredColumn;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/**
 * The work that all tasks of a scan share, sent to the executors. It holds no secret.
 *
 * @param options the options
 * @param columns the columns that are read
 * @param filter the service's condition beside that of the slice; empty for none
 * @param limit the results that each task reads at the end; 0 for all
 */
record ScanTask(AzureTableOptions options, List<StoredColumn> columns, String filter, int limit)
        implements PartitionReaderFactory {

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
        return new SliceReader(this, (KeySlice) partition);
    }
}
