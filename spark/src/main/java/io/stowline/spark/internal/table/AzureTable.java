package io.stowline.spark.internal.table;

import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.read.AzureTableScanBuilder;
import io.stowline.spark.internal.schema.SchemaSample;
import io.stowline.spark.internal.schema.TableSchema;
import io.stowline.spark.internal.write.TableWriteBuilder;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/** A table of Azure Storage as Spark's planner knows it. */
public final class AzureTable implements SupportsRead, SupportsWrite {

    private static final Set<TableCapability> CAPABILITIES = Set.of(
            TableCapability.BATCH_READ,
            TableCapability.BATCH_WRITE,
            TableCapability.STREAMING_WRITE,
            TableCapability.ACCEPT_ANY_SCHEMA,
            TableCapability.TRUNCATE);

    private final AzureTableOptions options;
    private final StructType schema;
    private final @Nullable SchemaSample sample;

    /**
     * Makes a table; nothing is sent.
     *
     * @param sample the sample that the schema comes from; {@code null} of a schema that is given
     */
    public AzureTable(AzureTableOptions options, StructType schema, @Nullable SchemaSample sample) {
        this.options = options;
        this.schema = TableSchema.withKeys(schema);
        this.sample = sample;
    }

    @Override
    public String name() {
        return "azuretable " + options.table();
    }

    /** Spark's interface has no other form for a provider that infers types. */
    @Override
    @SuppressWarnings("deprecation")
    public StructType schema() {
        return schema;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap scanOptions) {
        return new AzureTableScanBuilder(options, schema, sample);
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
        return new TableWriteBuilder(options, info);
    }

    @Override
    public String toString() {
        return name();
    }
}
