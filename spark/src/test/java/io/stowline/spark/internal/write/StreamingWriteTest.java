package io.stowline.spark.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.AzuriteExtension;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultProxyExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.Trigger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
@DisplayName("a write of a streaming query")
class StreamingWriteTest {

    private static final AzuriteExtension AZURITE = AzuriteExtension.shared();

    @RegisterExtension
    static final FaultProxyExtension PROXY = FaultProxyExtension.before(AZURITE);

    @TempDir
    private Path folder;

    private WriteBench bench;
    private Path source;
    private Path checkpoint;

    @BeforeEach
    void prepare() throws IOException {
        bench = new WriteBench(PROXY.storage(), AZURITE.storage(), folder);
        source = Files.createDirectory(folder.resolve("source"));
        checkpoint = folder.resolve("checkpoint");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private void arrive(int from, int below) throws IOException {
        Files.writeString(
                source.resolve(from + ".json"),
                IntStream.range(from, below)
                        .mapToObj(i ->
                                "{\"PartitionKey\":\"p" + i % 3 + "\",\"RowKey\":\"" + i + "\",\"number\":" + i + "}")
                        .collect(Collectors.joining("\n")));
    }

    private DataStreamWriter<Row> query(String mode) {
        Dataset<Row> rows =
                WriteBench.spark().readStream().schema(WriteBench.NUMBERED).json(source.toString());
        return rows.writeStream()
                .format("azuretable")
                .options(bench.options(mode))
                .option("checkpointLocation", checkpoint.toString())
                .trigger(Trigger.AvailableNow());
    }

    @Test
    @DisplayName("refuses a writeId: a query has its id")
    void writeIds() throws Exception {
        arrive(0, 3);

        assertThatThrownBy(() -> run(query("insert").option("writeId", "day-1")))
                .hasMessageContaining("writeId is not for streams");
        assertThat(bench.stored()).isEmpty();
    }

    private void run(DataStreamWriter<Row> query) throws Exception {
        query.start().awaitTermination();
    }

    @ParameterizedTest
    @ValueSource(strings = {"insert", "upsert-replace"})
    @DisplayName("writes an epoch again that was not committed, and knows its rows")
    void restartedEpoch(String mode, FaultProxy proxy) throws Exception {
        arrive(0, 600);
        run(query(mode));
        arrive(600, 900);
        run(query(mode));
        try (var logs = Files.newDirectoryStream(checkpoint.resolve("commits"), "*1*")) {
            for (Path log : logs) {
                Files.delete(log);
            }
        }
        arrive(900, 1_000);

        run(query(mode));

        assertThat(bench.stored()).hasSize(1_000);
        assertThat(bench.stored().values().stream()
                        .map(entity -> entity.get("StowlineWriteId"))
                        .distinct())
                .hasSize(mode.equals("insert") ? 3 : 1);
    }

    @Test
    @DisplayName("of mode insert fails at a row of an earlier epoch")
    void earlierEpoch() throws Exception {
        arrive(0, 10);
        run(query("insert"));
        arrive(5, 11);

        // Each task has repeated rows, and the first one that fails ends the query.
        assertThatThrownBy(() -> run(query("insert")))
                .extracting(Throwables::getStackTrace, InstanceOfAssertFactories.STRING)
                .containsPattern("EntityKey\\[partitionKey=p[0-2], rowKey=[5-9]]: an entity with these keys exists");
    }

    @Test
    @DisplayName("takes output mode update, and refuses complete with the reason")
    void outputModes() throws Exception {
        arrive(0, 90);
        Dataset<Row> counts = WriteBench.spark()
                .readStream()
                .schema(WriteBench.NUMBERED)
                .json(source.toString())
                .groupBy("PartitionKey")
                .count()
                .selectExpr("PartitionKey", "'count' as RowKey", "count");
        DataStreamWriter<Row> query = counts.writeStream()
                .format("azuretable")
                .options(bench.options("upsert-replace"))
                .trigger(Trigger.AvailableNow());

        run(query.outputMode("update").option("checkpointLocation", checkpoint.toString()));
        arrive(90, 120);
        run(query.outputMode("update").option("checkpointLocation", checkpoint.toString()));

        assertThat(bench.stored().values().stream().map(entity -> entity.get("count")))
                .containsOnly(40L);
        assertThatThrownBy(() -> run(query.outputMode("complete")
                        .option("checkpointLocation", folder.resolve("other").toString())))
                .hasStackTraceContaining("does not overwrite");
    }
}
