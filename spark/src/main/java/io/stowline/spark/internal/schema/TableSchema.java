package io.stowline.spark.internal.schema;

import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.option.TypeConflicts;
import io.stowline.spark.internal.option.WriteMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The columns of a table by the rules of its service: keys are texts and never null, and {@code Timestamp} is the service's. */
public final class TableSchema {

    public static final String PARTITION_KEY = "PartitionKey";
    public static final String ROW_KEY = "RowKey";
    public static final String TIMESTAMP = "Timestamp";

    private static final Set<String> KEYS = Set.of(PARTITION_KEY, ROW_KEY);

    private TableSchema() {}

    /** Returns a schema whose keys are not null and whose properties may be: an entity may lack each of them. */
    public static StructType withKeys(StructType schema) {
        StructField[] fields = schema.fields().clone();
        for (int i = 0; i < fields.length; i++) {
            StructField field = fields[i];
            fields[i] = new StructField(field.name(), field.dataType(), !isKey(field.name()), field.metadata());
        }
        return new StructType(fields);
    }

    /**
     * Returns the columns of a read.
     *
     * @param sampled whether the types come from a sample, which shows not all entities
     * @throws IllegalArgumentException if a column has a type that no property has, or is there twice, or {@code guidColumns} names none
     */
    public static List<StoredColumn> read(StructType schema, AzureTableOptions options, boolean sampled) {
        TypeMatch match = options.conflicts() == TypeConflicts.WIDEN
                ? TypeMatch.WIDENED
                : sampled ? TypeMatch.COLUMN : TypeMatch.EXACT;
        checkGuids(schema, options, !sampled);
        Set<String> names = new HashSet<>();
        for (String name : schema.fieldNames()) {
            if (!names.add(name)) {
                throw new IllegalArgumentException("the column " + name + " is twice in the schema; remove one");
            }
        }
        List<StoredColumn> columns = new ArrayList<>();
        for (StructField field : schema.fields()) {
            checkSystem(field);
            columns.add(StoredColumn.read(field, options, isSystem(field.name()) ? TypeMatch.EXACT : match));
        }
        return columns;
    }

    /**
     * Returns the columns of a write.
     *
     * @throws IllegalArgumentException if a key is missing, a column cannot be stored, or {@code guidColumns} names none
     */
    public static List<StoredColumn> written(StructType schema, AzureTableOptions options) {
        checkGuids(schema, options, options.writeMode() != WriteMode.DELETE);
        List<StoredColumn> columns = new ArrayList<>();
        for (StructField field : schema.fields()) {
            checkSystem(field);
            columns.add(StoredColumn.written(field, options));
        }
        for (String key : List.of(PARTITION_KEY, ROW_KEY)) {
            if (columns.stream().noneMatch(column -> column.name().equals(key))) {
                throw new IllegalArgumentException("the column " + key
                        + " is missing; each row needs PartitionKey and RowKey, both of type string. Columns are taken by"
                        + " their names, which SQL gives by INSERT INTO name (PartitionKey, RowKey, ...)");
            }
        }
        return columns;
    }

    /** Refuses names that fit no column: its Guids would be texts. A sample and the keys of a deletion lack columns. */
    private static void checkGuids(StructType schema, AzureTableOptions options, boolean complete) {
        List<String> names = List.of(schema.fieldNames());
        for (String guid : options.guidColumns()) {
            if (isSystem(guid)) {
                throw new IllegalArgumentException(
                        "guidColumns: the column " + guid + " is never stored as Edm.Guid; remove it from the option");
            }
            boolean otherCase = !names.contains(guid) && names.stream().anyMatch(guid::equalsIgnoreCase);
            if (otherCase || (complete && !names.contains(guid))) {
                throw new IllegalArgumentException("guidColumns: there is no column " + guid
                        + (otherCase ? ", but one that differs by its case" : "")
                        + "; give the names as the schema has them");
            }
        }
    }

    /** Returns whether a property is a key. */
    public static boolean isKey(String name) {
        return KEYS.contains(name);
    }

    /** Returns whether a property is a key or the service's time. */
    public static boolean isSystem(String name) {
        return isKey(name) || name.equals(TIMESTAMP);
    }

    /** Spark does not distinguish names by case, but the service does: such a column would be null in each row. */
    private static void checkSystem(StructField field) {
        for (String name : List.of(PARTITION_KEY, ROW_KEY, TIMESTAMP)) {
            if (field.name().equalsIgnoreCase(name) && !field.name().equals(name)) {
                throw new IllegalArgumentException("the column " + field.name() + " is called " + name
                        + " by the service, which distinguishes names by case; rename it");
            }
        }
        check(field, isKey(field.name()), DataTypes.StringType);
        check(field, field.name().equals(TIMESTAMP), DataTypes.TimestampType);
    }

    private static void check(StructField field, boolean concerned, DataType type) {
        if (concerned && !field.dataType().equals(type)) {
            throw new IllegalArgumentException("the column " + field.name() + " is "
                    + field.dataType().catalogString() + ", but the service has it as " + type.catalogString());
        }
    }
}
