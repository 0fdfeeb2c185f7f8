package io.stowline.spark;

import io.stowline.spark.internal.account.ExecutorClients;
import io.stowline.spark.internal.account.RedactedVariables;
import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.schema.SchemaSample;
import io.stowline.spark.internal.table.AzureTable;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The data source {@code azuretable} of Apache Spark: a table of Azure Storage as a DataFrame. Spark makes it; an application names its format.
 */
public final class AzureTableSource implements TableProvider, DataSourceRegister {

    private @Nullable SchemaSample sample;

    /** Makes a source; Spark calls it for each read and write. */
    public AzureTableSource() {}

    @Override
    public String shortName() {
        return "azuretable";
    }

    /**
     * Reads some entities of the table and returns the schema that they fit.
     *
     * @param options the options of the read
     * @return the keys, {@code Timestamp} and the properties that were found
     * @throws IllegalArgumentException if an option is unknown, missing or wrong, or a property has values of several types and
     *     {@code schemaConflicts} is not {@code widen}
     */
    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        SchemaSample found = SchemaSample.read(AzureTableOptions.of(options), ExecutorClients.ofThisJvm());
        sample = found;
        return found.schema();
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        if (partitioning.length > 0) {
            throw new IllegalArgumentException(
                    "partitionBy: a table is partitioned by its property PartitionKey; leave partitionBy out");
        }
        AzureTableOptions options = AzureTableOptions.of(properties);
        RedactedVariables.check(
                options.account(), SparkSession.active().sparkContext().conf());
        SchemaSample found = sample;
        boolean sampled = found != null && found.schema().equals(schema);
        return new AzureTable(options, schema, sampled ? found : null);
    }

    /** Returns that a schema may be given, so that nothing is sampled. */
    @Override
    public boolean supportsExternalMetadata() {
        return true;
    }
}
