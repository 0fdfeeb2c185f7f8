package io.stowline.spark.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.table.Entity;
import io.stowline.testkit.AzuriteExtension;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultProxyExtension;
import io.stowline.testkit.StrictMode;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
@DisplayName("a write of a DataFrame")
class TableWriteTest {

    private static final AzuriteExtension AZURITE = AzuriteExtension.shared();

    @RegisterExtension
    static final FaultProxyExtension PROXY = FaultProxyExtension.before(AZURITE).strict(StrictMode.on());

    @TempDir
    private Path folder;

    private WriteBench bench;

    @BeforeEach
    void prepare() {
        bench = new WriteBench(PROXY.storage(), AZURITE.storage(), folder);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    @DisplayName("fills transactions: one task has all rows of a partition, in their order")
    void fullTransactions(FaultProxy proxy) {
        Dataset<Row> rows = WriteBench.numbered(12, 250);

        bench.write(rows, "upsert-replace").save();

        assertThat(bench.stored()).hasSize(3_000);
        assertThat(WriteBench.transactions(proxy))
                .hasSize(36)
                .allMatch(operations -> operations == 100 || operations == 50);
    }

    @Test
    @DisplayName("leaves rows in their tasks where clustering is none")
    void unclustered(FaultProxy proxy) {
        bench.write(WriteBench.numbered(2, 300), "upsert-replace")
                .option("clustering", "none")
                .save();

        assertThat(bench.stored()).hasSize(600);
        assertThat(WriteBench.transactions(proxy)).hasSizeGreaterThan(6);
    }

    @Test
    @DisplayName("of mode upsert-replace drops a property whose column is null, of upsert-merge keeps it")
    void nulls() {
        StructType schema = WriteBench.NUMBERED.add("name", DataTypes.StringType);
        List<Row> before = List.of(RowFactory.create("p", "1", 1, "a"), RowFactory.create("p", "2", 2, "b"));
        List<Row> after = List.of(RowFactory.create("p", "1", null, "c"), RowFactory.create("p", "2", 3, null));

        bench.write(WriteBench.frame(schema, before), "upsert-replace").save();
        bench.write(WriteBench.frame(schema, after), "upsert-merge").save();

        assertThat(bench.stored().get("p|1").properties()).isEqualTo(Map.of("number", 1, "name", "c"));
        assertThat(bench.stored().get("p|2").properties()).isEqualTo(Map.of("number", 3, "name", "b"));

        bench.write(WriteBench.frame(schema, after), "upsert-replace").save();

        assertThat(bench.stored().get("p|1").properties()).isEqualTo(Map.of("name", "c"));
        assertThat(bench.stored().get("p|2").properties()).isEqualTo(Map.of("number", 3));
    }

    @Test
    @DisplayName("of mode insert-ignore leaves entities as they are")
    void insertIgnore() {
        bench.table().insert(Entity.builder("p0", "00003").set("number", -1).build());

        bench.write(WriteBench.numbered(2, 50), "insert-ignore").save();

        assertThat(bench.stored()).hasSize(100);
        assertThat(bench.stored().get("p0|00003").get("number")).isEqualTo(-1);
    }

    @Test
    @DisplayName("of mode delete removes entities, and needs the keys only")
    void delete() {
        bench.write(WriteBench.numbered(3, 100), "upsert-replace").save();
        Dataset<Row> some = WriteBench.numbered(2, 120).drop("number");

        bench.write(some, "delete").save();
        bench.write(some, "delete").save();

        assertThat(bench.stored().keySet()).hasSize(100).allMatch(key -> key.startsWith("p2|"));
    }

    @Test
    @DisplayName("stores each type, and a read has it back")
    void types() {
        StructType schema = new StructType()
                .add("PartitionKey", DataTypes.StringType)
                .add("RowKey", DataTypes.StringType)
                .add("Timestamp", DataTypes.TimestampType)
                .add("text", DataTypes.StringType)
                .add("tiny", DataTypes.ByteType)
                .add("small", DataTypes.ShortType)
                .add("whole", DataTypes.IntegerType)
                .add("large", DataTypes.LongType)
                .add("single", DataTypes.FloatType)
                .add("real", DataTypes.DoubleType)
                .add("flag", DataTypes.BooleanType)
                .add("time", DataTypes.TimestampType)
                .add("id", DataTypes.StringType)
                .add("bytes", DataTypes.BinaryType)
                .add("amount", DataTypes.createDecimalType(20, 4));
        Instant time = Instant.parse("2026-11-29T03:04:05.678901Z");
        UUID id = UUID.randomUUID();
        Row row = RowFactory.create(
                "p",
                "r",
                Timestamp.from(Instant.EPOCH),
                "Grüße \uD83D\uDE00",
                (byte) -7,
                (short) 300,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                0.5f,
                Double.NaN,
                true,
                Timestamp.from(time),
                id.toString(),
                new byte[] {0, -1},
                new BigDecimal("1234567890123456.7800"));

        bench.write(WriteBench.frame(schema, List.of(row)), "upsert-replace")
                .option("guidColumns", "id")
                .option("decimals", "text")
                .save();

        Entity stored = bench.stored().get("p|r");
        assertThat(stored.get("bytes", byte[].class)).containsExactly(0, -1);
        assertThat(stored.properties())
                .containsAllEntriesOf(Map.ofEntries(
                        Map.entry("text", "Grüße \uD83D\uDE00"),
                        Map.entry("tiny", -7),
                        Map.entry("small", 300),
                        Map.entry("whole", Integer.MIN_VALUE),
                        Map.entry("large", Long.MAX_VALUE),
                        Map.entry("single", 0.5),
                        Map.entry("real", Double.NaN),
                        Map.entry("flag", true),
                        Map.entry("time", time),
                        Map.entry("id", id),
                        Map.entry("amount", "1234567890123456.7800")))
                .hasSize(12);

        StructType read = new StructType();
        for (StructField field : schema.fields()) {
            read = switch (field.name()) {
                case "tiny", "small" -> read.add(field.name(), DataTypes.IntegerType);
                case "single" -> read.add(field.name(), DataTypes.DoubleType);
                case "Timestamp" -> read;
                default -> read.add(field);
            };
        }
        Row back = WriteBench.spark()
                .read()
                .format("azuretable")
                .options(bench.options("upsert-replace"))
                .option("guidColumns", "id")
                .option("decimals", "text")
                .schema(read)
                .load()
                .first();
        for (String column : List.of("text", "large", "whole", "real", "flag", "time", "id", "amount")) {
            assertThat(back.<Object>getAs(column)).as(column).isEqualTo(row.get(schema.fieldIndex(column)));
        }
        assertThat(back.<byte[]>getAs("bytes")).containsExactly(0, -1);
        assertThat(back.<Integer>getAs("tiny")).isEqualTo(-7);
        assertThat(back.<Double>getAs("single")).isEqualTo(0.5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"upsert-replace", "insert", "insert-ignore"})
    @DisplayName("takes thousands of rows with awkward keys")
    void awkwardKeys(String mode) {
        List<String> parts = List.of(
                "",
                " ",
                "'",
                "''",
                "%2F",
                "+",
                "&=",
                "a b",
                "Ünï",
                "\uD83D\uDE00",
                "\uFFFD",
                "e\u0301",
                "\"",
                "<&>",
                "x".repeat(250),
                ";",
                "$",
                "(",
                "0",
                "NULL");
        List<Row> rows = new ArrayList<>();
        for (String partition : parts) {
            for (String row : parts) {
                for (int i = 0; i < 8; i++) {
                    rows.add(RowFactory.create(partition, row + i + row, rows.size()));
                }
            }
        }

        bench.write(WriteBench.frame(WriteBench.NUMBERED, rows), mode).save();

        Map<String, Entity> stored = bench.stored();
        assertThat(stored).hasSize(rows.size());
        assertThat(rows).allSatisfy(row -> assertThat(
                        stored.get(row.getString(0) + "|" + row.getString(1)).get("number"))
                .isEqualTo(row.getInt(2)));
    }

    @Test
    @DisplayName("creates the table if createTable is true, and fails where it is missing otherwise")
    void createTable() {
        String name = "n" + UUID.randomUUID().toString().replace("-", "");
        Dataset<Row> rows = WriteBench.numbered(1, 3);

        assertThatThrownBy(() -> bench.write(rows, "upsert-replace")
                        .option("table", name)
                        .save())
                .hasStackTraceContaining(name)
                .hasStackTraceContaining("TableNotFound");
        assertThat(bench.other(name).exists()).isFalse();

        bench.write(rows, "upsert-replace")
                .option("table", name)
                .option("createTable", "true")
                .save();

        assertThat(bench.other(name).query().count()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"overwrite", "errorIfExists", "ignore"})
    @DisplayName("is refused in another mode of Spark than append")
    void saveModes(String mode) {
        assertThatThrownBy(() -> bench.write(WriteBench.numbered(1, 1), "upsert-replace")
                        .mode(mode)
                        .save())
                .hasMessageContaining(mode.equals("overwrite") ? "does not overwrite" : "Append");

        assertThat(bench.stored()).isEmpty();
    }

    static Stream<List<Object>> refusedColumns() {
        StructType keys =
                new StructType().add("PartitionKey", DataTypes.StringType).add("RowKey", DataTypes.StringType);
        return Stream.of(
                List.of(new StructType().add("PartitionKey", DataTypes.StringType), "the column RowKey is missing"),
                List.of(keys.add("rowkey", DataTypes.StringType), "rowkey"),
                List.of(
                        new StructType()
                                .add("partitionKey", DataTypes.StringType)
                                .add("RowKey", DataTypes.StringType),
                        "the column partitionKey differs from a key by its case"),
                List.of(
                        new StructType()
                                .add("PartitionKey", DataTypes.StringType)
                                .add("RowKey", DataTypes.LongType),
                        "the column RowKey is bigint"),
                List.of(keys.add("parts", DataTypes.createArrayType(DataTypes.LongType)), "the column parts"),
                List.of(keys.add("amount", DataTypes.createDecimalType(10, 2)), "the column amount"),
                List.of(keys.add("day", DataTypes.DateType), "the column day"),
                List.of(keys.add("two words", DataTypes.LongType), "two words"),
                List.of(keys.add("StowlineWriteId", DataTypes.StringType), "markerColumn"));
    }

    @ParameterizedTest
    @MethodSource("refusedColumns")
    @DisplayName("refuses columns that no entity has, before anything is sent")
    void columns(List<Object> refused, FaultProxy proxy) {
        Dataset<Row> rows = WriteBench.frame((StructType) refused.get(0), List.of());

        assertThatThrownBy(() -> bench.write(rows, "insert").save()).hasStackTraceContaining((String) refused.get(1));

        assertThat(proxy.recorded()).isEmpty();
    }

    @Test
    @DisplayName("refuses more properties than an entity has")
    void tooManyColumns() {
        StructType schema = WriteBench.NUMBERED;
        for (int i = 0; i < 251; i++) {
            schema = schema.add("c" + i, DataTypes.LongType);
        }
        Dataset<Row> rows = WriteBench.frame(schema, List.of());

        bench.write(rows, "upsert-replace").save();
        assertThatThrownBy(() -> bench.write(rows, "insert").save()).hasStackTraceContaining("the limit is 252");
    }

    static Stream<List<Object>> refusedRows() {
        return Stream.of(
                List.of(RowFactory.create(null, "r", "a"), "PartitionKey is null"),
                List.of(RowFactory.create("p", null, "a"), "RowKey is null"),
                List.of(RowFactory.create("p", "a/b", "a"), "RowKey: U+002F at position 1 is not allowed"),
                List.of(RowFactory.create("p", "x".repeat(1_025), "a"), "1025 characters; the limit is 1024"),
                List.of(RowFactory.create("p", "r", "x".repeat(32_769)), "property text: 32769 UTF-16 characters"));
    }

    @ParameterizedTest
    @MethodSource("refusedRows")
    @DisplayName("names the keys, the property and the limit of a row that the service cannot store")
    void rows(List<Object> refused) {
        StructType schema = new StructType()
                .add("PartitionKey", DataTypes.StringType)
                .add("RowKey", DataTypes.StringType)
                .add("text", DataTypes.StringType);

        assertThatThrownBy(() -> bench.write(WriteBench.frame(schema, List.of((Row) refused.get(0))), "upsert-replace")
                        .save())
                .hasStackTraceContaining(
                        "a row was not written to the table " + bench.table().name())
                .hasStackTraceContaining("EntityKey[partitionKey=")
                .hasStackTraceContaining((String) refused.get(1));
        assertThat(bench.stored()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PartitionKey", "RowKey", "text"})
    @DisplayName("refuses a text that is not well-formed UTF-8, of which two would be one key")
    void illFormed(String column, FaultProxy proxy) {
        Dataset<Row> rows = WriteBench.spark()
                .sql(
                        "SELECT 'p' AS PartitionKey, 'r' AS RowKey, 'x' AS text, bytes FROM VALUES (X'61FF'), (X'61FE') AS t(bytes)")
                .selectExpr(Stream.of("PartitionKey", "RowKey", "text")
                        .map(name -> name.equals(column) ? "cast(bytes AS string) AS " + name : name)
                        .toArray(String[]::new));

        assertThatThrownBy(() -> bench.write(rows, "upsert-replace").save())
                .hasStackTraceContaining("the column " + column + " has a text that is not well-formed UTF-8");

        assertThat(bench.stored()).isEmpty();
    }

    @Test
    @DisplayName("of SQL takes columns by the names that a statement gives")
    void sqlInserts() {
        WriteBench.spark()
                .sql("CREATE OR REPLACE TEMPORARY VIEW named (PartitionKey string, RowKey string, number int)"
                        + " USING azuretable OPTIONS ("
                        + bench.options("insert").entrySet().stream()
                                .map(option -> option.getKey() + " '" + option.getValue() + "'")
                                .collect(Collectors.joining(", "))
                        + ")");

        WriteBench.spark().sql("INSERT INTO named (PartitionKey, RowKey, number) VALUES ('p', 'r', 3)");
        assertThatThrownBy(() -> WriteBench.spark().sql("INSERT INTO named VALUES ('p', 'q', 3)"))
                .hasMessageContaining("INSERT INTO name (PartitionKey, RowKey, ...)");

        assertThat(bench.stored()).containsOnlyKeys("p|r");
        assertThat(bench.stored().get("p|r").get("number")).isEqualTo(3);
    }

    @Test
    @DisplayName("to a table of a catalog is refused with the way out")
    void noCatalog() {
        assertThatThrownBy(() -> WriteBench.spark()
                        .sql(
                                "CREATE TABLE none (PartitionKey string, RowKey string) USING azuretable OPTIONS (table 'none',"
                                        + " connectionStringEnv 'NONE')"))
                .hasStackTraceContaining("azuretable has no catalog")
                .hasStackTraceContaining("CREATE TEMPORARY VIEW");
    }

    @Test
    @DisplayName("refuses an entity that is too large")
    void tooLarge() {
        StructType schema = WriteBench.NUMBERED;
        Object[] values = new Object[43];
        values[0] = "p";
        values[1] = "large";
        for (int i = 0; i < 40; i++) {
            schema = schema.add("c" + i, DataTypes.StringType);
            values[3 + i] = "ü".repeat(30_000);
        }
        Dataset<Row> rows = WriteBench.frame(schema, List.of(RowFactory.create(values)));

        assertThatThrownBy(() -> bench.write(rows, "upsert-replace").save())
                .hasStackTraceContaining("EntityKey[partitionKey=p, rowKey=large]")
                .hasStackTraceContaining("1 MiB");
    }
}
