package io.stowline.spark.internal.read;

import io.stowline.projection.filter.Filter;
import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.schema.SchemaSample;
import io.stowline.spark.internal.schema.StoredColumn;
import io.stowline.spark.internal.schema.TableSchema;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** A scan of a table: its columns, its conditions and its slices. Two that read alike are equal, so that Spark reads once. */
final class AzureTableScan implements SupportsReportStatistics, Batch {

    private final ScanTask task;
    private final StructType schema;
    private final ScanConditions conditions;
    private final SlicePlan plan;
    private final @Nullable SchemaSample sample;
    private InputPartition @Nullable [] slices;

    AzureTableScan(ScanTask task, StructType schema, ScanConditions conditions, @Nullable SchemaSample sample) {
        this.task = task;
        this.schema = schema;
        this.conditions = conditions;
        this.plan = new SlicePlan(task.options(), conditions, task.limit());
        this.sample = sample;
    }

    @Override
    public StructType readSchema() {
        return schema;
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    /** Plans once: Spark calls it again for the same scan. */
    @Override
    public synchronized InputPartition[] planInputPartitions() {
        InputPartition[] planned = slices;
        if (planned == null) {
            planned = plan.slices().toArray(InputPartition[]::new);
            slices = planned;
        }
        return planned.clone();
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return task;
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return ReadMetrics.all();
    }

    @Override
    public CustomTaskMetric[] reportDriverMetrics() {
        return ReadMetrics.ofDriver(plan.probes());
    }

    /** Estimates only what costs no request: entities of named keys, and a table that the sample has read to its end. */
    @Override
    public Statistics estimateStatistics() {
        OptionalLong rows = rows();
        return new TableStatistics(
                rows.isPresent() ? OptionalLong.of(rows.getAsLong() * schema.defaultSize()) : rows, rows);
    }

    private OptionalLong rows() {
        Optional<List<String>> partitions = conditions.partitions();
        boolean point = conditions
                .filter()
                .map(filter -> filter.fixes(TableSchema.ROW_KEY))
                .orElse(false);
        if (partitions.isPresent() && point) {
            return OptionalLong.of(partitions.get().size());
        }
        return sample == null ? OptionalLong.empty() : sample.rows();
    }

    /** The estimate of a scan. */
    private record TableStatistics(OptionalLong sizeInBytes, OptionalLong numRows) implements Statistics {}

    /** Returns the table, the columns and the service's conditions, as EXPLAIN and the UI show them; never a credential. */
    @Override
    public String description() {
        AzureTableOptions options = task.options();
        StringBuilder text = new StringBuilder("azuretable ").append(options.table());
        text.append(" [columns: ")
                .append(task.columns().stream().map(StoredColumn::name).collect(Collectors.joining(", ")));
        conditions.partitions().ifPresent(keys -> text.append("; partitions: ").append(shown(keys)));
        conditions.filter().map(Filter::toString).ifPresent(filter -> text.append("; filter: ")
                .append(filter));
        if (task.limit() > 0) {
            text.append("; limit: ").append(task.limit());
        }
        return text.append(']').toString();
    }

    private static String shown(List<String> keys) {
        int max = 5;
        return keys.stream().limit(max).collect(Collectors.joining(", "))
                + (keys.size() > max ? " and " + (keys.size() - max) + " more" : "");
    }

    private List<Object> identity() {
        return List.of(task, schema, conditions.partitions());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AzureTableScan that && identity().equals(that.identity());
    }

    @Override
    public int hashCode() {
        return identity().hashCode();
    }

    @Override
    public String toString() {
        return description();
    }
}
