package io.stowline.spark.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.option.WriteMode;
import io.stowline.table.Entity;
import io.stowline.testkit.AzuriteExtension;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultProxyExtension;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StubResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
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
@DisplayName("rows that are written twice")
class RepeatedWriteTest {

    private static final AzuriteExtension AZURITE = AzuriteExtension.shared();

    @RegisterExtension
    static final FaultProxyExtension PROXY = FaultProxyExtension.before(AZURITE);

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

    /** A refusal of the whole account ends the try of a task at once. */
    private FaultRule failTask(FaultProxy proxy, int transaction) {
        return proxy.when(RequestMatch.requests().path("**$batch").nth(transaction))
                .respond(StubResponse.error(403, "AuthorizationFailure", "This request is not authorized."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"upsert-replace", "upsert-merge", "insert", "insert-ignore", "delete"})
    @DisplayName("by a second try of a task leave the table as one write does")
    void secondTry(String mode, FaultProxy proxy) {
        Dataset<Row> rows = WriteBench.numbered(6, 500);
        boolean deletes = mode.equals("delete");
        if (deletes) {
            bench.write(rows, "upsert-replace").save();
            proxy.clear();
        }
        FaultRule failed = failTask(proxy, 17);

        bench.write(rows, mode).save();

        assertThat(failed.hits()).isEqualTo(1);
        Map<String, Entity> stored = bench.stored();
        assertThat(stored).hasSize(deletes ? 0 : 3_000);
        assertThat(stored.values().stream().map(entity -> entity.get("number")).distinct())
                .hasSize(deletes ? 0 : 3_000);
        if (mode.equals("insert")) {
            assertThat(stored.values().stream()
                            .map(entity -> entity.get("StowlineWriteId"))
                            .distinct())
                    .hasSize(1);
        }
        assertThat(WriteBench.transactions(proxy))
                .as("no row costs a transaction")
                .hasSizeLessThan(300);
    }

    @Test
    @DisplayName("by a job that is started again are known by its writeId, and fail with another one")
    void secondJob(FaultProxy proxy) {
        Dataset<Row> rows = WriteBench.numbered(6, 200);
        FaultRule failed = proxy.when(RequestMatch.requests().path("**$batch").from(5))
                .respond(StubResponse.error(403, "AuthorizationFailure", "This request is not authorized."));
        assertThatThrownBy(() ->
                        bench.write(rows, "insert").option("writeId", "day-1").save())
                .hasStackTraceContaining("AuthorizationFailure");
        int first = bench.stored().size();
        assertThat(first).isBetween(100, 1_100);
        failed.remove();

        bench.write(rows.repartition(5), "insert").option("writeId", "day-1").save();

        assertThat(bench.stored()).hasSize(1_200);
        assertThat(bench.stored().values()).allMatch(entity -> "day-1".equals(entity.get("StowlineWriteId")));
        assertThatThrownBy(() ->
                        bench.write(rows, "insert").option("writeId", "day-2").save())
                .hasStackTraceContaining("another write or row has left its StowlineWriteId");
    }

    @Test
    @DisplayName("by a task that fails behind its source are known without clustering, too")
    void secondTryOfSource(FaultProxy proxy) {
        Dataset<Row> rows = WriteBench.numbered(4, 300)
                .map(
                        (MapFunction<Row, Row>) row -> {
                            if (row.getInt(2) == 1_000 && TaskContext.get().attemptNumber() == 0) {
                                throw new IllegalStateException("the source fails");
                            }
                            return row;
                        },
                        Encoders.row(WriteBench.NUMBERED));

        bench.write(rows, "insert").option("clustering", "none").save();

        assertThat(bench.stored()).hasSize(1_200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"insert", "insert-ignore", "upsert-replace"})
    @DisplayName("because responses are lost are there once")
    void lostResponses(String mode, FaultProxy proxy) {
        FaultRule lost = proxy.when(
                        RequestMatch.requests().path("**$batch").every(7).times(5))
                .loseResponse();
        proxy.when(RequestMatch.requests().method("GET").every(3).times(3)).loseResponse();

        bench.write(WriteBench.numbered(10, 300), mode).save();

        assertThat(lost.hits()).isGreaterThanOrEqualTo(4);
        assertThat(bench.stored()).hasSize(3_000);
        assertThat(bench.stored().values().stream()
                        .map(entity -> entity.get("number"))
                        .distinct())
                .hasSize(3_000);
    }

    @Test
    @DisplayName("by two tries at a time are inserted once, and both tries succeed")
    void speculation() throws Exception {
        AzureTableOptions options = AzureTableOptions.of(bench.options("insert"));
        RowMarker marker = new RowMarker("StowlineWriteId", "w");
        RowEntities entities = new RowEntities(WriteBench.NUMBERED, options, marker);
        try (Stowline client = Stowline.connect(PROXY.storage().connectionString())) {
            List<CompletableFuture<WriteCounts>> tries = IntStream.range(0, 2)
                    .mapToObj(attempt ->
                            CompletableFuture.supplyAsync(() -> write(client, entities, marker, attempt > 0)))
                    .toList();
            WriteCounts sum = tries.get(0).get().plus(tries.get(1).get());

            assertThat(sum.entities() + sum.known()).isEqualTo(4_000);
            assertThat(sum.entities()).as("written once").isEqualTo(2_000);
            assertThat(bench.stored()).hasSize(2_000);
        }
    }

    private WriteCounts write(Stowline client, RowEntities entities, RowMarker marker, boolean repeated) {
        TaskRows rows = new TaskRows(client.table(bench.table().name()), WriteMode.INSERT, marker, repeated);
        try (TaskWriter writer = new TaskWriter(entities, rows, marker, RowPace.of(0), () -> {})) {
            for (int i = 0; i < 2_000; i++) {
                writer.write(row("p" + i / 500, String.format("%05d", i), i));
            }
            commit(writer);
            return rows.counts();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void commit(TaskWriter writer) throws IOException {
        try {
            writer.commit();
        } catch (IOException | RuntimeException e) {
            writer.abort();
            throw e;
        }
    }

    private static InternalRow row(String partition, String row, int number) {
        return new GenericInternalRow(
                new Object[] {UTF8String.fromString(partition), UTF8String.fromString(row), number});
    }

    @Test
    @DisplayName("cost a request for 100 of them, as in the first try; a full buffer cuts no transaction short")
    void requests(FaultProxy proxy) throws IOException {
        RowMarker marker = new RowMarker("StowlineWriteId", "w");
        try (Stowline client = Stowline.connect(PROXY.storage().connectionString())) {
            WriteCounts first = load(client, marker, false);
            assertThat(first).isEqualTo(new WriteCounts(15_000, 0, 200, 0, 0));

            proxy.clear();
            WriteCounts second = load(client, marker, true);
            assertThat(second).isEqualTo(new WriteCounts(0, 15_000, 0, 0, 0));
            assertThat(proxy.recorded()).hasSize(200);
        }
    }

    private WriteCounts load(Stowline client, RowMarker marker, boolean repeated) throws IOException {
        TaskRows rows = new TaskRows(client.table(bench.table().name()), WriteMode.INSERT, marker, repeated);
        for (int i = 0; i < 15_000; i++) {
            Entity.Builder entity = Entity.builder(String.format("%03d", i / 150), String.format("%05d", i));
            marker.put(entity);
            rows.add(entity.build());
        }
        rows.flush();
        rows.close();
        return rows.counts();
    }

    @Test
    @DisplayName("of another origin fail a write of mode insert, which names their keys")
    void foreign() {
        bench.table()
                .insert(Entity.builder("p1", "00007")
                        .set("number", -1)
                        .set("text", "secret value")
                        .build());

        assertThatThrownBy(
                        () -> bench.write(WriteBench.numbered(3, 40), "insert").save())
                .hasStackTraceContaining("EntityKey[partitionKey=p1, rowKey=00007]: an entity with these keys exists")
                .satisfies(failure -> assertThat(stackTrace(failure)).doesNotContain("secret value"));

        assertThat(bench.stored().get("p1|00007").get("number")).isEqualTo(-1);
    }

    @Test
    @DisplayName("of an earlier write fail a write of mode insert; the number of keys in the message is bounded")
    void otherWrite() {
        Dataset<Row> rows = WriteBench.numbered(2, 100);
        bench.write(rows, "insert").save();

        assertThatThrownBy(() -> bench.write(rows, "insert").save())
                .hasStackTraceContaining("another write or row has left its StowlineWriteId")
                .satisfies(failure -> assertThat(stackTrace(failure).length()).isLessThan(100_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"required", "none"})
    @DisplayName("because two rows of a DataFrame have the same keys fail a write of mode insert")
    void duplicates(String clustering) {
        List<Row> rows =
                List.of(RowFactory.create("p", "1", 1), RowFactory.create("p", "2", 2), RowFactory.create("p", "1", 3));

        assertThatThrownBy(() -> bench.write(
                                WriteBench.frame(WriteBench.NUMBERED, rows).repartition(3), "insert")
                        .option("clustering", clustering)
                        .save())
                .hasStackTraceContaining("EntityKey[partitionKey=p, rowKey=1]");
    }

    @Test
    @DisplayName("of a failed task are not sent later, and the next write works")
    void abort() throws IOException {
        AzureTableOptions options = AzureTableOptions.of(bench.options("upsert-replace"));
        RowMarker marker = new RowMarker("StowlineWriteId", "w");
        RowEntities entities = new RowEntities(WriteBench.NUMBERED, options, marker);
        try (Stowline client = Stowline.connect(PROXY.storage().connectionString())) {
            TaskRows rows = new TaskRows(client.table(bench.table().name()), WriteMode.UPSERT_REPLACE, marker, false);
            try (TaskWriter writer = new TaskWriter(entities, rows, marker, RowPace.of(0), () -> {})) {
                writer.write(row("p", "1", 1));
                writer.abort();
            }
        }

        assertThat(bench.stored()).isEmpty();
        bench.write(WriteBench.numbered(1, 1), "upsert-replace").save();
        assertThat(bench.stored()).hasSize(1);
    }

    @Test
    @DisplayName("of a task that Spark interrupts leave the client to the next try")
    void interrupted(FaultProxy proxy) throws Exception {
        RequestHold hold = new RequestHold();
        proxy.when(RequestMatch.requests().path("**$batch").nth(1)).holdBefore(hold);
        AzureTableOptions options = AzureTableOptions.of(bench.options("insert"));
        RowMarker marker = new RowMarker("StowlineWriteId", "w");
        RowEntities entities = new RowEntities(WriteBench.NUMBERED, options, marker);
        try (Stowline client = Stowline.connect(PROXY.storage().connectionString())) {
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            Thread task = new Thread(() -> {
                try {
                    write(client, entities, marker, false);
                    failure.complete(new AssertionError("not interrupted"));
                } catch (RuntimeException e) {
                    failure.complete(e);
                }
            });
            task.start();
            hold.awaitArrived(Duration.ofSeconds(30));
            task.interrupt();
            hold.release();

            assertThat(failure.get(60, TimeUnit.SECONDS)).isNotInstanceOf(AssertionError.class);
            WriteCounts again = write(client, entities, marker, true);
            assertThat(again.entities() + again.known()).isEqualTo(2_000);
        }
        assertThat(bench.stored()).hasSize(2_000);
    }

    private static String stackTrace(Throwable failure) {
        java.io.StringWriter text = new java.io.StringWriter();
        failure.printStackTrace(new java.io.PrintWriter(text, true));
        return text.toString();
    }
}
