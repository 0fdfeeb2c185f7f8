package io.stowline.spark.internal.read;

import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.schema.SchemaSample;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** A builder of the scan of a table. Not thread-safe. */
public final class AzureTableScanBuilder implements ScanBuilder {

    private final StructType columns;

    /** Begins a scan. */
    public AzureTableScanBuilder(AzureTableOptions options, StructType schema, @Nullable SchemaSample sample) {
        this.columns = schema;
    }

    @Override
    public Scan build() {
        return () -> columns;
    }
}
