package io.stowline.spark.internal.schema;

import io.stowline.spark.internal.account.ClientShare;
import io.stowline.spark.internal.account.ExecutorClients;
import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.option.TypeConflicts;
import io.stowline.table.Entity;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The schema that some entities show. It holds for them; another entity may have further properties, which are not read.
 *
 * @param schema the keys, {@code Timestamp} and the properties in the order in which they were found
 * @param rows the number of all entities, if the sample has them all
 */
public record SchemaSample(StructType schema, OptionalLong rows) {

    /** Reads the first entities of a table. */
    public static SchemaSample read(AzureTableOptions options, ExecutorClients clients) {
        try (ClientShare share = clients.share(options.account());
                Stream<Entity> entities =
                        share.table(options.table()).query().limit(options.schemaSampleSize()).stream()) {
            return of(entities.iterator(), options);
        }
    }

    static SchemaSample of(Iterator<Entity> entities, AzureTableOptions options) {
        Map<String, Set<StoredType>> found = new LinkedHashMap<>();
        long count = 0;
        while (entities.hasNext()) {
            entities.next().properties().forEach((name, value) -> found.computeIfAbsent(
                            name, property -> EnumSet.noneOf(StoredType.class))
                    .add(StoredType.of(value)));
            count++;
        }
        refuseSameNames(found.keySet());
        StructType schema = new StructType()
                .add(TableSchema.PARTITION_KEY, DataTypes.StringType, false)
                .add(TableSchema.ROW_KEY, DataTypes.StringType, false)
                .add(TableSchema.TIMESTAMP, DataTypes.TimestampType, true);
        for (Map.Entry<String, Set<StoredType>> property : found.entrySet()) {
            if (!property.getKey().equals(TableSchema.TIMESTAMP)) {
                schema = schema.add(property.getKey(), type(property.getKey(), property.getValue(), options), true);
            }
        }
        boolean all = count < options.schemaSampleSize();
        return new SchemaSample(schema, all ? OptionalLong.of(count) : OptionalLong.empty());
    }

    private static DataType type(String name, Set<StoredType> types, AzureTableOptions options) {
        Set<DataType> columns = types.stream().map(StoredType::column).collect(Collectors.toSet());
        if (columns.size() == 1) {
            return columns.iterator().next();
        }
        if (options.conflicts() == TypeConflicts.REFUSE) {
            throw new IllegalArgumentException("the property " + name + " of table " + options.table() + " is "
                    + types.stream().map(StoredType::edm).collect(Collectors.joining(" and "))
                    + " in different entities; set schemaConflicts=widen, or give a schema without it");
        }
        if (!types.stream().allMatch(StoredType::isNumber)) {
            return DataTypes.StringType;
        }
        return types.contains(StoredType.DOUBLE) ? DataTypes.DoubleType : DataTypes.LongType;
    }

    /** Spark does not distinguish names by case. */
    private static void refuseSameNames(Set<String> names) {
        Map<String, String> lower = new TreeMap<>();
        for (String name : names) {
            String other = lower.put(name.toLowerCase(Locale.ROOT), name);
            if (other != null) {
                throw new IllegalArgumentException("the properties " + other + " and " + name
                        + " differ by case only, which Spark does not distinguish; give a schema with one of them");
            }
        }
    }
}
