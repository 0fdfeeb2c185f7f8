package io.stowline.spark.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.table.Entity;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredColumnTest {

    private static final UUID GUID = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");

    private static AzureTableOptions options(String... pairs) {
        Map<String, String> options = new HashMap<>(Map.of("table", "people", "connectionStringEnv", "PEOPLE"));
        for (int i = 0; i < pairs.length; i += 2) {
            options.put(pairs[i], pairs[i + 1]);
        }
        return AzureTableOptions.of(options);
    }

    private static StructField field(DataType type) {
        return new StructField("c", type, true, Metadata.empty());
    }

    private static StoredColumn written(DataType type, String... options) {
        return StoredColumn.written(field(type), options(options));
    }

    private static StoredColumn read(DataType type, TypeMatch match, String... options) {
        return StoredColumn.read(field(type), options(options), match);
    }

    private static Object thereAndBack(DataType type, Object value, String... options) {
        Object stored = written(type, options).entityValue(value);
        Entity entity = Entity.builder("p", "r").set("c", stored).build();
        return read(type, TypeMatch.EXACT, options).rowValue(entity.get("c"));
    }

    @Test
    @DisplayName("each type is the same after a write and a read")
    void typesComeBack() {
        UTF8String text = UTF8String.fromString("a\ud83d\ude00");
        assertThat(thereAndBack(DataTypes.StringType, text)).isEqualTo(text);
        assertThat(thereAndBack(DataTypes.IntegerType, -7)).isEqualTo(-7);
        assertThat(thereAndBack(DataTypes.LongType, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(thereAndBack(DataTypes.DoubleType, Double.NaN)).isEqualTo(Double.NaN);
        assertThat(thereAndBack(DataTypes.DoubleType, 1.0)).isEqualTo(1.0);
        assertThat(thereAndBack(DataTypes.BooleanType, true)).isEqualTo(true);
        assertThat(thereAndBack(DataTypes.TimestampType, -1L)).isEqualTo(-1L);
        assertThat(thereAndBack(DataTypes.TimestampType, 1_795_921_445_123_456L))
                .isEqualTo(1_795_921_445_123_456L);
        assertThat((byte[]) thereAndBack(DataTypes.BinaryType, new byte[] {1, 0}))
                .containsExactly(1, 0);
        UTF8String guid = UTF8String.fromString(GUID.toString());
        assertThat(thereAndBack(DataTypes.StringType, guid, "guidColumns", "c")).isEqualTo(guid);
        Decimal decimal = Decimal.apply(new BigDecimal("12.50"));
        assertThat(thereAndBack(DataTypes.createDecimalType(10, 2), decimal, "decimals", "text"))
                .isEqualTo(decimal);
    }

    @Test
    void narrowTypesAreStoredAsWiderOnes() {
        assertThat(written(DataTypes.ByteType).entityValue((byte) -1)).isEqualTo(-1);
        assertThat(written(DataTypes.ShortType).entityValue((short) 300)).isEqualTo(300);
        assertThat(written(DataTypes.FloatType).entityValue(0.5f)).isEqualTo(0.5);
    }

    @Test
    @DisplayName("the seventh digit of a time is cut off, before 1970 too")
    void timesAreRoundedDown() {
        StoredColumn column = read(DataTypes.TimestampType, TypeMatch.EXACT);

        assertThat(column.rowValue(Instant.parse("1970-01-01T00:00:00.0000019Z")))
                .isEqualTo(1L);
        assertThat(column.rowValue(Instant.parse("1969-12-31T23:59:59.9999999Z")))
                .isEqualTo(-1L);
        assertThat(column.rowValue(StoredColumn.MIN_TIME)).isEqualTo(-11_644_473_600_000_000L);
    }

    @Test
    void timesThatTheServiceDoesNotStoreAreRefused() {
        StoredColumn column = written(DataTypes.TimestampType);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> column.entityValue(-11_644_473_600_000_001L))
                .withMessageContaining("the column c has the time 1600-12-31T23:59:59.999999Z");
        assertThatIllegalArgumentException().isThrownBy(() -> column.entityValue(253_402_300_800_000_000L));
        assertThat(column.entityValue(253_402_300_799_999_999L))
                .isEqualTo(Instant.parse("9999-12-31T23:59:59.999999Z"));
    }

    @Test
    void otherTextIsNoGuid() {
        StoredColumn column = written(DataTypes.StringType, "guidColumns", "c");

        assertThat(column.entityValue(UTF8String.fromString(GUID.toString().toUpperCase(Locale.ROOT))))
                .isEqualTo(GUID);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> column.entityValue(UTF8String.fromString("1-1-1-1-1")))
                .withMessageContaining("the column c of guidColumns has a text of 9 characters that is no GUID")
                .withNoCause();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> column.entityValue(UTF8String.fromString("private")))
                .withNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"61ff", "61fe", "eda080", "c0af", "e282"})
    @DisplayName("a text that is not well-formed UTF-8 is refused, not altered")
    void illFormedTextIsRefused(String hex) {
        UTF8String text = UTF8String.fromBytes(HexFormat.of().parseHex(hex));

        for (StoredColumn column :
                List.of(written(DataTypes.StringType), written(DataTypes.StringType, "guidColumns", "c"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> column.entityValue(text))
                    .withMessageContaining("the column c has a text that is not well-formed UTF-8")
                    .withMessageContaining("make_valid_utf8");
        }
        assertThat(written(DataTypes.StringType).entityValue(UTF8String.fromString("a\uFFFD")))
                .isEqualTo("a\uFFFD");
    }

    @Test
    @DisplayName("a column takes values of other types only where they can be widened")
    void otherTypes() {
        StoredColumn exact = read(DataTypes.StringType, TypeMatch.EXACT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> exact.rowValue(GUID))
                .withMessageContaining("guidColumns");
        assertThat(read(DataTypes.StringType, TypeMatch.COLUMN).rowValue(GUID))
                .isEqualTo(UTF8String.fromString(GUID.toString()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(DataTypes.LongType, TypeMatch.COLUMN).rowValue(1))
                .withMessageContaining("the column c is bigint, for Edm.Int64, but an entity has Edm.Int32");
        StoredColumn text = read(DataTypes.StringType, TypeMatch.WIDENED);
        assertThat(Stream.<Object>of(true, 1, 2L, 1.5, Instant.EPOCH, GUID, new byte[] {1}, "t")
                        .map(text::rowValue)
                        .map(Object::toString))
                .containsExactly("true", "1", "2", "1.5", "1970-01-01T00:00:00Z", GUID.toString(), "AQ==", "t");
        assertThat(read(DataTypes.DoubleType, TypeMatch.WIDENED).rowValue(3)).isEqualTo(3.0);
        assertThat(read(DataTypes.LongType, TypeMatch.WIDENED).rowValue(3)).isEqualTo(3L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(DataTypes.IntegerType, TypeMatch.WIDENED).rowValue(3L));
    }

    @Test
    void otherDecimalsAreRefused() {
        DataType type = DataTypes.createDecimalType(4, 2);
        StoredColumn column = read(type, TypeMatch.EXACT, "decimals", "text");

        assertThat(column.rowValue("1.5").toString()).isEqualTo("1.50");
        for (String text : List.of("123.45", "x", "", "1.505", "1e999999999")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> column.rowValue(text))
                    .withMessageContaining(
                            "the column c is decimal(4,2), but an entity has a text that is no such number")
                    .withNoCause();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "decimal(5,2)",
                "array<int>",
                "map<string,int>",
                "struct<a:int>",
                "date",
                "timestamp_ntz",
                "interval day"
            })
    void otherColumnsAreRefused(String type) {
        DataType other = DataType.fromDDL(type);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> written(other))
                .withMessageContaining("the column c is of type " + other.catalogString())
                .withMessageContaining("Cast it, or drop it");
        assertThatIllegalArgumentException().isThrownBy(() -> read(other, TypeMatch.EXACT));
    }

    @Test
    void keysAreTextsAndNeverNull() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.read(StructType.fromDDL("PartitionKey INT"), options(), false))
                .withMessageContaining("the column PartitionKey is int, but the service has it as string");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.written(StructType.fromDDL("PartitionKey STRING, a INT"), options()))
                .withMessageContaining("the column RowKey is missing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.read(StructType.fromDDL("partitionkey STRING"), options(), false))
                .withMessageContaining("the column partitionkey is called PartitionKey by the service");
        assertThat(TableSchema.withKeys(StructType.fromDDL("RowKey STRING, a INT"))
                        .toDDL())
                .isEqualTo("RowKey STRING NOT NULL,a INT");
    }

    @Test
    void namesThatDifferByCaseAreRefused() {
        Entity entity = Entity.builder("p", "r").set("name", 1).set("Name", 2).build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> SchemaSample.of(List.of(entity).iterator(), options()))
                .withMessageContaining("the properties name and Name differ by case only");
    }
}
