package io.stowline.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of the emulator, whose account a file names. */
@AzuriteTest
class AzuriteReadIT {

    private static final int CONDITIONS = 40;

    /** The emulator compares times by milliseconds; see {@link #times}. */
    private static final StructType WITHOUT_TIMES = new StructType(Stream.of(PushDownFuzz.GIVEN.fields())
            .filter(field -> !field.name().equals("t"))
            .toArray(StructField[]::new));

    private final String name = "t" + UUID.randomUUID().toString().replace("-", "");

    @TempDir
    private Path folder;

    private DataFrameReader filled(TestStorage storage, List<Entity> entities) throws Exception {
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            Table<Entity> table = client.table(name);
            table.create();
            try (var writer = table.writer()) {
                entities.forEach(writer::insertOrReplace);
            }
        }
        Path secret = Files.writeString(folder.resolve("secret"), storage.connectionString());
        return SparkBench.spark()
                .read()
                .format("azuretable")
                .option("table", name)
                .option("connectionStringFile", secret.toString());
    }

    @Test
    @DisplayName("the service understands each condition that is pushed, and finds the rows that Spark finds itself")
    void conditions(TestStorage storage) throws Exception {
        Random random = new Random(6);

        DataFrameReader read = filled(storage, PushDownFuzz.entities(random, false));

        PushDownFuzz.compare(
                random,
                CONDITIONS,
                read.schema(WITHOUT_TIMES)
                        .option("guidColumns", "g")
                        .option("partitions", "4")
                        .load());
    }

    @Test
    void times(TestStorage storage) throws Exception {
        DataFrameReader read = filled(
                storage,
                IntStream.range(0, 5)
                        .mapToObj(i -> Entity.builder("p", "r" + i)
                                .set("t", Instant.EPOCH.plusMillis(i))
                                .build())
                        .toList());
        var rows = read.schema("RowKey STRING, t TIMESTAMP").load();

        assertThat(Stream.of("=", "<", "<=", ">", ">=")
                        .map(operator -> rows.where("t " + operator + " TIMESTAMP '1970-01-01 00:00:00.001'")
                                .count()))
                .containsExactly(1L, 1L, 2L, 3L, 4L);
    }

    @Test
    @DisplayName("a table that probes divide is read whole, each entity once")
    void probedRanges(TestStorage storage) throws Exception {
        DataFrameReader read = filled(
                storage,
                IntStream.range(0, 2_500)
                        .mapToObj(i -> Entity.builder("p%02d".formatted(i % 40), "r%04d".formatted(i))
                                .set("n", i)
                                .build())
                        .toList());

        var rows = read.option("partitions", "6").load();

        assertThat(rows.selectExpr("count(*)", "count(DISTINCT RowKey)", "sum(n)")
                        .collectAsList()
                        .toString())
                .isEqualTo("[[2500,2500,3123750]]");
        assertThat(rows.javaRDD().getNumPartitions()).isBetween(6, 12);
    }
}
