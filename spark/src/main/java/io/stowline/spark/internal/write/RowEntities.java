package io.stowline.spark.internal.write;

import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.option.WriteMode;
import io.stowline.spark.internal.schema.StoredColumn;
import io.stowline.spark.internal.schema.TableSchema;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Rows of a DataFrame as entities. A column without a value is a property that the entity does not have; the column {@code Timestamp} is the
 * service's and left out. Immutable.
 */
final class RowEntities implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String table;
    private final WriteMode mode;
    private final ArrayList<Property> properties = new ArrayList<>();
    private final int partitionKey;
    private final int rowKey;

    /**
     * A column behind the keys.
     *
     * @param index its place in a row
     * @param column its name and type
     */
    private record Property(int index, StoredColumn column) implements Serializable {}

    /**
     * Checks the columns of a write.
     *
     * @throws IllegalArgumentException if a key is missing, or a column has a name or a type that no property has
     */
    RowEntities(StructType schema, AzureTableOptions options, RowMarker marker) {
        this.table = options.table();
        this.mode = options.writeMode();
        refuseOtherCase(schema);
        List<String> names = Arrays.asList(schema.fieldNames());
        List<StoredColumn> columns = TableSchema.written(written(schema, mode), options);
        partitionKey = names.indexOf(TableSchema.PARTITION_KEY);
        rowKey = names.indexOf(TableSchema.ROW_KEY);
        Entity.Builder named = Entity.builder("", "");
        for (StoredColumn column : columns) {
            if (TableSchema.isKey(column.name())) {
                continue;
            }
            if (mode == WriteMode.INSERT && column.name().equalsIgnoreCase(marker.column())) {
                throw new IllegalArgumentException("the column " + column.name() + " is the marker of the mode insert;"
                        + " drop it, or set markerColumn to another name");
            }
            named.set(column.name(), true);
            properties.add(new Property(names.indexOf(column.name()), column));
        }
        if (mode == WriteMode.INSERT) {
            marker.put(named);
        }
        named.build();
    }

    /** A deletion has the keys only, and no write has the time of the service. */
    private static StructType written(StructType schema, WriteMode mode) {
        return new StructType(Arrays.stream(schema.fields())
                .filter(field -> mode == WriteMode.DELETE
                        ? TableSchema.isKey(field.name())
                        : !field.name().equals(TableSchema.TIMESTAMP))
                .toArray(StructField[]::new));
    }

    private static void refuseOtherCase(StructType schema) {
        Set<String> keys = Set.of(TableSchema.PARTITION_KEY, TableSchema.ROW_KEY);
        Set<String> names = new TreeSet<>();
        for (String name : schema.fieldNames()) {
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("the column " + name
                        + " is there twice, or another one differs from it by case only; rename or drop one");
            }
            if (keys.stream().anyMatch(key -> key.equalsIgnoreCase(name) && !key.equals(name))) {
                throw new IllegalArgumentException("the column " + name + " differs from a key by its case;"
                        + " the service distinguishes it: name the columns PartitionKey and RowKey");
            }
        }
    }

    /**
     * Returns the entity of a row.
     *
     * @param part the marker of this part of the write
     * @throws IOException if the service cannot store it; the message has its keys, the property and the limit
     */
    Entity entity(InternalRow row, RowMarker part) throws IOException {
        EntityKey key = new EntityKey(key(row, partitionKey), key(row, rowKey));
        try {
            checkText(row, partitionKey, TableSchema.PARTITION_KEY);
            checkText(row, rowKey, TableSchema.ROW_KEY);
            Entity.Builder entity = Entity.builder(key.partitionKey(), key.rowKey());
            for (Property property : properties) {
                if (!row.isNullAt(property.index())) {
                    StoredColumn column = property.column();
                    entity.set(column.name(), column.entityValue(row.get(property.index(), column.type())));
                }
            }
            if (mode == WriteMode.INSERT) {
                part.put(entity);
            }
            return entity.build();
        } catch (IllegalArgumentException e) {
            throw FailedRows.refused(table, key, e);
        }
    }

    private static void checkText(InternalRow row, int index, String name) {
        if (row.isNullAt(index)) {
            throw new IllegalArgumentException(name + " is null; each row needs both keys");
        }
        StoredColumn.checkText(name, row.getUTF8String(index));
    }

    private static String key(InternalRow row, int index) {
        return row.isNullAt(index) ? "null" : row.getUTF8String(index).toString();
    }
}
