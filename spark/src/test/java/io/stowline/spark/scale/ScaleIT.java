package io.stowline.spark.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures of the guide: a million entities loaded and scanned, with a service that is 5 ms away. */
@Tag("soak")
class ScaleIT {

    private static final int ROWS = Integer.getInteger("spark.rows", 1_000_000);
    private static final int PARTITIONS = 250;
    private static final int TASKS = 16;
    private static final int TRANSACTION = 100;
    private static final int PAGE = 1_000;
    private static final double ALLOWED = 1.02;
    private static final StructType CITY = new StructType()
            .add("PartitionKey", DataTypes.StringType)
            .add("RowKey", DataTypes.StringType)
            .add("name", DataTypes.StringType)
            .add("lat", DataTypes.DoubleType)
            .add("lng", DataTypes.DoubleType)
            .add("population", DataTypes.LongType);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void loadsAndScans(int slots, @TempDir Path folder) throws Exception {
        try (TableStub stub = TableStub.start(5);
                SparkSession spark = SparkSession.builder()
                        .master("local[" + slots + "]")
                        .config("spark.ui.enabled", "false")
                        .config("spark.sql.shuffle.partitions", TASKS)
                        .config("spark.sql.adaptive.enabled", "false")
                        .getOrCreate()) {
            Map<String, String> options = Map.of(
                    "connectionStringFile",
                    Files.writeString(folder.resolve("account"), stub.connectionString())
                            .toString(),
                    "table",
                    "cities" + ROWS,
                    "partitions",
                    Integer.toString(TASKS));
            load(spark, options, ROWS / 20);
            scan(spark, options);

            Figure load = Figure.of(stub, () -> load(spark, options, ROWS));
            Figure scan = Figure.of(stub, () -> scan(spark, options));

            System.out.printf(Locale.ROOT, "%d slots: load %s, scan %s%n", slots, load, scan);
            assertThat(load.requests()).isBetween((long) ROWS / TRANSACTION, (long) (ALLOWED * ROWS / TRANSACTION));
            assertThat(scan.requests())
                    .as("full pages, a last page and some probes of each task")
                    .isBetween((long) ROWS / PAGE, (long) (ALLOWED * ROWS / PAGE) + 2 * TASKS);
        }
    }

    private static void load(SparkSession spark, Map<String, String> options, int rows) {
        spark.range(0, rows, 1, TASKS)
                .selectExpr(
                        "format_string('c%03d', id % " + PARTITIONS + ") as PartitionKey",
                        "cast(10000000 + id as string) as RowKey",
                        "concat('city ', id) as name",
                        "35.5 + id % 10 as lat",
                        "139.5 - id % 10 as lng",
                        "id as population")
                .selectExpr(
                        "PartitionKey", "RowKey", "name", "cast(lat as double)", "cast(lng as double)", "population")
                .write()
                .format("azuretable")
                .options(options)
                .mode("append")
                .save();
    }

    private static void scan(SparkSession spark, Map<String, String> options) {
        spark.read()
                .format("azuretable")
                .schema(CITY)
                .options(options)
                .load()
                .write()
                .format("noop")
                .mode("overwrite")
                .save();
    }

    /** The time and the requests of a step. */
    private record Figure(double seconds, long requests) {

        static Figure of(TableStub stub, Runnable step) throws IOException, InterruptedException {
            long before = stub.requests();
            long start = System.nanoTime();
            step.run();
            double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
            return new Figure(seconds, stub.requests() - before);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.1f s (%,.0f/s) by %,d requests", seconds, ROWS / seconds, requests);
        }
    }
}
