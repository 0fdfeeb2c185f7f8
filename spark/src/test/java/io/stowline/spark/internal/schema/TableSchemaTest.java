package io.stowline.spark.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.spark.internal.option.AzureTableOptions;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableSchemaTest {

    private static final StructType KEYS =
            new StructType().add("PartitionKey", DataTypes.StringType).add("RowKey", DataTypes.StringType);
    private static final StructType GUIDS = KEYS.add("g", DataTypes.StringType).add("other", DataTypes.StringType);

    private static AzureTableOptions options(String guidColumns, String writeMode) {
        return AzureTableOptions.of(Map.of(
                "table",
                "people",
                "connectionStringEnv",
                "PEOPLE",
                "guidColumns",
                guidColumns,
                "writeMode",
                writeMode));
    }

    @ParameterizedTest
    @CsvSource({
        "G, 'there is no column G, but one that differs by its case'",
        "'g, guid', there is no column guid; give the names as the schema has them",
        "PartitionKey, the column PartitionKey is never stored as Edm.Guid"
    })
    @DisplayName("guidColumns that name no column are refused in a write and in a given schema")
    void guidColumnsNameColumns(String names, String message) {
        AzureTableOptions options = options(names, "upsert-merge");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.written(GUIDS, options))
                .withMessageContaining("guidColumns: " + message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.read(GUIDS, options, false))
                .withMessageContaining("guidColumns: " + message);
    }

    @Test
    @DisplayName("guidColumns may name a column that a sample or a deletion lacks, but none in another case")
    void someSchemasLackColumns() {
        assertThat(TableSchema.read(GUIDS, options("g,later", "insert"), true))
                .extracting(StoredColumn::stored)
                .containsExactly(StoredType.STRING, StoredType.STRING, StoredType.GUID, StoredType.STRING);
        assertThat(TableSchema.written(KEYS, options(" g , other", "delete"))).hasSize(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.read(GUIDS, options("G", "insert"), true))
                .withMessageContaining("differs by its case");
    }

    @Test
    @DisplayName("a column that is twice in a schema is named")
    void columnsAreThereOnce() {
        StructType twice = KEYS.add("n", DataTypes.IntegerType).add("n", DataTypes.IntegerType);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.read(twice, options("", "insert"), false))
                .withMessage("the column n is twice in the schema; remove one");
    }

    @Test
    @DisplayName("keys are never null, and each property may be: an entity may lack it")
    void propertiesMayBeNull() {
        StructType schema =
                KEYS.add("n", DataTypes.IntegerType, false).add("Timestamp", DataTypes.TimestampType, false);

        assertThat(List.of(TableSchema.withKeys(schema).fields()))
                .extracting(StructField::nullable)
                .containsExactly(false, false, true, true);
    }

    @Test
    @DisplayName("a missing key names the way to name columns in SQL")
    void keysAreNamed() {
        StructType positions =
                new StructType().add("col1", DataTypes.StringType).add("col2", DataTypes.StringType);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.written(positions, options("", "insert")))
                .withMessageContaining("INSERT INTO name (PartitionKey, RowKey, ...)");
    }
}
