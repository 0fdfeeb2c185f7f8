package io.stowline.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.Entity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Random entities and random conditions on them. */
final class PushDownFuzz {

    static final StructType GIVEN = new StructType()
            .add("PartitionKey", DataTypes.StringType)
            .add("RowKey", DataTypes.StringType)
            .add("s", DataTypes.StringType)
            .add("i", DataTypes.IntegerType)
            .add("l", DataTypes.LongType)
            .add("d", DataTypes.DoubleType)
            .add("b", DataTypes.BooleanType)
            .add("t", DataTypes.TimestampType)
            .add("g", DataTypes.StringType)
            .add("x", DataTypes.BinaryType);

    /** Below, in and above the surrogates, whose orders differ in UTF-8 and UTF-16; and texts with a meaning to filters. */
    private static final List<String> TEXTS = List.of(
            "a",
            "b",
            "ab",
            "a'b",
            "\u00e9",
            "\ud7ff",
            "\ud83d\ude00",
            "\ue000",
            "\uffee",
            "a\ud83d\ude00",
            "a\ue000",
            "B",
            "%_");

    private static final List<Instant> TIMES = Stream.of(
                    "1601-01-01T00:00:00Z",
                    "1969-12-31T23:59:59.9999999Z",
                    "1970-01-01T00:00:00Z",
                    "2026-11-29T03:04:05.1234567Z",
                    "2026-11-29T03:04:05.123456Z",
                    "2026-11-29T03:04:05.123457Z",
                    "9999-12-31T23:59:59.9999999Z")
            .map(Instant::parse)
            .toList();

    private static final List<UUID> GUIDS = List.of(
            UUID.fromString("123e4567-e89b-12d3-a456-426614174000"),
            UUID.fromString("00000000-0000-0000-0000-000000000000"),
            UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff"));

    private static final Map<String, List<?>> VALUES = Map.of(
            "PartitionKey", TEXTS,
            "RowKey", TEXTS,
            "s",
                    Stream.concat(TEXTS.stream(), Stream.of("", "a/b", "x".repeat(300)))
                            .toList(),
            "i", List.of(0, 1, -1, 7, Integer.MAX_VALUE, Integer.MIN_VALUE),
            "l", List.of(0L, 1L, -1L, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE),
            "d", List.of(0.0, -0.0, 1.5, -1.5, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300),
            "b", List.of(true, false),
            "t", TIMES,
            "g", GUIDS,
            "x", List.of(new byte[0], new byte[] {1}));

    private static <V> V any(Random random, List<V> values) {
        return values.get(random.nextInt(values.size()));
    }

    static List<Entity> entities(Random random, boolean mixed) {
        List<Entity> all = new ArrayList<>();
        for (String partition : TEXTS) {
            for (String row : TEXTS) {
                Entity.Builder entity = Entity.builder(partition, row);
                for (String name : GIVEN.fieldNames()) {
                    boolean absent = random.nextInt(3) == 0;
                    if (!name.endsWith("Key") && !absent) {
                        String like =
                                mixed && random.nextBoolean() ? any(random, List.of("s", "i", "l", "d", "b")) : name;
                        entity.set(name, any(random, VALUES.get(like)));
                    }
                }
                all.add(entity.build());
            }
        }
        return all;
    }

    private static Column condition(Random random, int depth, StructType schema) {
        if (depth > 0 && random.nextInt(3) > 0) {
            Column left = condition(random, depth - 1, schema);
            return switch (random.nextInt(3)) {
                case 0 -> left.and(condition(random, depth - 1, schema));
                case 1 -> left.or(condition(random, depth - 1, schema));
                default -> not(left);
            };
        }
        return comparison(
                random,
                any(
                        random,
                        Stream.of(schema.fieldNames())
                                .filter(VALUES::containsKey)
                                .toList()),
                schema);
    }

    private static Column comparison(Random random, String name, StructType schema) {
        DataType type = schema.apply(name).dataType();
        Column column = col(name);
        Object value = literal(any(random, VALUES.get(name)), type);
        return switch (random.nextInt(12)) {
            case 0 -> column.notEqual(value);
            case 1 -> column.gt(value);
            case 2 -> column.geq(value);
            case 3 -> column.lt(value);
            case 4 -> column.leq(value);
            case 5 -> column.isNull();
            case 6 -> column.isNotNull();
            case 7 -> column.eqNullSafe(value);
            case 8 -> lit(value).gt(column);
            case 9 ->
                column.isin(Stream.generate(() -> literal(any(random, VALUES.get(name)), type))
                        .limit(1 + random.nextInt(6))
                        .toArray());
            case 10 -> value instanceof String text ? column.startsWith(text) : column.isin(value, null);
            default -> column.equalTo(value);
        };
    }

    /** Returns a value of a column's type, which may have been widened. */
    private static Object literal(Object value, DataType type) {
        boolean isText = type.equals(DataTypes.StringType);
        return isText ? (value instanceof byte[] ? "AQ==" : value.toString()) : value;
    }

    private static List<String> keys(Dataset<Row> rows) {
        return rows.select("PartitionKey", "RowKey").collectAsList().stream()
                .map(row -> row.getString(0) + "|" + row.getString(1))
                .sorted(Comparator.naturalOrder())
                .toList();
    }

    /** Compares the rows that the service and Spark find together with those that Spark finds itself. */
    static void compare(Random random, int conditions, Dataset<Row> pushed) {
        Dataset<Row> local = SparkBench.spark().createDataFrame(pushed.collectAsList(), pushed.schema());
        assertThat(local.count()).isEqualTo((long) TEXTS.size() * TEXTS.size());

        for (int i = 0; i < conditions; i++) {
            Column condition = condition(random, 3, pushed.schema());
            assertThat(keys(pushed.where(condition)))
                    .as("condition %d: %s", i, condition)
                    .isEqualTo(keys(local.where(condition)));
        }
    }

    private PushDownFuzz() {}
}
