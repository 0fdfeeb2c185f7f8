package io.stowline.spark;

import io.stowline.Stowline;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.SparkSession;

/** A Spark in this JVM with two slots, and an account in memory. */
public final class SparkBench implements AutoCloseable {

    private static final SparkSession SPARK = LocalSpark.session(Map.of(
            "spark.sql.shuffle.partitions", "2",
            "spark.sql.session.timeZone", "UTC",
            "spark.sql.codegen.wholeStage", "false",
            "spark.sql.codegen.factoryMode", "NO_CODEGEN",
            "spark.sql.datetime.java8API.enabled", "true"));

    public final MemoryStorage memory = MemoryStorage.create();
    public final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();
    private final String account = UUID.randomUUID().toString();

    public SparkBench() {
        // Rows become Java values by the settings of the thread's active session.
        SparkSession.setActiveSession(SPARK);
        MemoryCredentials.register(account, memory);
    }

    public static SparkSession spark() {
        return SPARK;
    }

    /** Returns the options that name this account and a table. */
    public Map<String, String> options(String table) {
        return Map.of(
                "table", table,
                "credentialClass", MemoryCredentials.class.getName(),
                "credential.account", account);
    }

    public DataFrameReader read(String table) {
        return SPARK.read().format("azuretable").options(options(table));
    }

    public Table<Entity> filled(String name, List<Entity> entities) {
        Table<Entity> table = storage.table(name);
        table.createIfMissing();
        try (var writer = table.writer()) {
            entities.forEach(writer::insertOrReplace);
        }
        return table;
    }

    /** Returns the queries of a table that the service has got. */
    public List<String> queries(String table) {
        return memory.requests().stream()
                .filter(request -> request.startsWith("GET") && request.contains(table))
                .toList();
    }

    @Override
    public void close() {
        storage.close();
    }
}
