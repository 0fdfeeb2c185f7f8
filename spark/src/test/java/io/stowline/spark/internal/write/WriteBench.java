package io.stowline.spark.internal.write;

import io.stowline.Stowline;
import io.stowline.spark.LocalSpark;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.TestStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** A table, a local Spark with two slots and four tries of each task, and the file with the secret of the account. */
final class WriteBench implements AutoCloseable {

    static final StructType NUMBERED = new StructType()
            .add("PartitionKey", DataTypes.StringType)
            .add("RowKey", DataTypes.StringType)
            .add("number", DataTypes.IntegerType);

    private static final SparkSession SPARK = LocalSpark.session(Map.of(
            "spark.sql.shuffle.partitions", "4",
            "spark.sql.adaptive.coalescePartitions.enabled", "false",
            "spark.sql.session.timeZone", "UTC"));
    private static final Pattern OPERATION = Pattern.compile("(?m)^(POST|PUT|PATCH|MERGE|DELETE) http");

    private final Path secret;
    private final Stowline client;
    private final Table<Entity> table;

    WriteBench(TestStorage proxied, TestStorage direct, Path folder) {
        SparkSession.setActiveSession(SPARK);
        try {
            this.secret = Files.writeString(folder.resolve("account"), proxied.connectionString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.client = Stowline.connect(direct.connectionString());
        this.table = client.table("t" + UUID.randomUUID().toString().replace("-", ""));
        table.create();
    }

    static SparkSession spark() {
        return SPARK;
    }

    Table<Entity> table() {
        return table;
    }

    Table<Entity> other(String name) {
        return client.table(name);
    }

    Map<String, String> options(String mode) {
        return Map.of("connectionStringFile", secret.toString(), "table", table.name(), "writeMode", mode);
    }

    static Dataset<Row> frame(StructType schema, List<Row> rows) {
        return spark().createDataFrame(rows, schema);
    }

    /** Returns rows of some partitions with as many rows each, in no order. */
    static Dataset<Row> numbered(int partitions, int rows) {
        return frame(
                        NUMBERED,
                        IntStream.range(0, partitions * rows)
                                .mapToObj(i -> RowFactory.create(
                                        "p" + i % partitions, String.format("%05d", i / partitions), i))
                                .toList())
                .repartition(3);
    }

    DataFrameWriter<Row> write(Dataset<Row> rows, String mode) {
        return rows.write().format("azuretable").options(options(mode)).mode("append");
    }

    /** Returns the entities by their keys. */
    Map<String, Entity> stored() {
        Map<String, Entity> stored = new TreeMap<>();
        table.query().list().forEach(entity -> stored.put(entity.partitionKey() + "|" + entity.rowKey(), entity));
        return stored;
    }

    /** Returns how many operations each transaction had. */
    static List<Integer> transactions(FaultProxy proxy) {
        return proxy.recorded(RequestMatch.requests().path("**$batch")).stream()
                .map(RecordedExchange::request)
                .map(request ->
                        (int) OPERATION.matcher(request.text()).results().count())
                .toList();
    }

    @Override
    public void close() {
        client.close();
    }
}
