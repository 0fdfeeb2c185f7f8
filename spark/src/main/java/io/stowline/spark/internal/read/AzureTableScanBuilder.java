package io.stowline.spark.internal.read;

import io.stowline.projection.filter.Filter;
import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.schema.SchemaSample;
import io.stowline.spark.internal.schema.StoredColumn;
import io.stowline.spark.internal.schema.TableSchema;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** A builder of the scan of a table, which takes columns, conditions and a limit from Spark's planner. Not thread-safe. */
public final class AzureTableScanBuilder
        implements SupportsPushDownRequiredColumns, SupportsPushDownV2Filters, SupportsPushDownLimit {

    private final AzureTableOptions options;
    private final List<StoredColumn> all;
    private final ScanConditions conditions;
    private final @Nullable SchemaSample sample;
    private StructType schema;
    private int limit;

    /**
     * Begins a scan.
     *
     * @param sample the sample that the schema comes from; {@code null} of a schema that is given
     * @throws IllegalArgumentException if a column has a type that no property has
     */
    public AzureTableScanBuilder(AzureTableOptions options, StructType schema, @Nullable SchemaSample sample) {
        this.options = options;
        this.schema = schema;
        this.sample = sample;
        this.all = TableSchema.read(schema, options, sample != null);
        this.conditions = new ScanConditions(all);
    }

    @Override
    public void pruneColumns(StructType requiredSchema) {
        schema = requiredSchema;
    }

    @Override
    public Predicate[] pushPredicates(Predicate[] predicates) {
        return conditions.push(predicates);
    }

    @Override
    public Predicate[] pushedPredicates() {
        return conditions.pushed();
    }

    /** Takes a limit for each task, unless a condition is left to Spark, which may drop rows. */
    @Override
    public boolean pushLimit(int results) {
        if (!conditions.isComplete() || results < 1) {
            return false;
        }
        limit = results;
        return true;
    }

    @Override
    public boolean isPartiallyPushed() {
        return true;
    }

    @Override
    public Scan build() {
        Map<String, StoredColumn> byName =
                all.stream().collect(Collectors.toMap(StoredColumn::name, Function.identity()));
        List<StoredColumn> columns =
                Stream.of(schema.fieldNames()).map(byName::get).toList();
        String filter = conditions.filter().map(Filter::toOData).orElse("");
        return new AzureTableScan(new ScanTask(options, columns, filter, limit), schema, conditions, sample);
    }
}
