package io.stowline.spark.internal.write;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.AzuriteExtension;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultProxyExtension;
import io.stowline.testkit.StubResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.util.QueryExecutionListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
@DisplayName("the plan of a write")
class WritePlanTest {

    private static final AzuriteExtension AZURITE = AzuriteExtension.shared();

    @RegisterExtension
    static final FaultProxyExtension PROXY = FaultProxyExtension.before(AZURITE);

    @TempDir
    private Path folder;

    private WriteBench bench;
    private final BlockingQueue<QueryExecution> executions = new LinkedBlockingQueue<>();
    private final QueryExecutionListener listener = new QueryExecutionListener() {
        @Override
        public void onSuccess(String function, QueryExecution execution, long nanos) {
            executions.add(execution);
        }

        @Override
        public void onFailure(String function, QueryExecution execution, Exception failure) {
            executions.add(execution);
        }
    };

    @BeforeEach
    void prepare() {
        bench = new WriteBench(PROXY.storage(), AZURITE.storage(), folder);
        WriteBench.spark().listenerManager().register(listener);
    }

    @AfterEach
    void close() {
        WriteBench.spark().listenerManager().unregister(listener);
        bench.close();
    }

    private SparkPlan plan() throws InterruptedException {
        QueryExecution execution = executions.poll(30, TimeUnit.SECONDS);
        return execution.executedPlan();
    }

    @ParameterizedTest
    @CsvSource({"required, REPARTITION_BY_COL", "preferred, REBALANCE_PARTITIONS_BY_COL", "none, ''"})
    @DisplayName("has the clustering of the option, always the order of the keys, and no secret")
    void distribution(String clustering, String shuffle) throws Exception {
        bench.write(WriteBench.numbered(2, 10), "upsert-merge")
                .option("clustering", clustering)
                .save();

        String text = plan().toString();
        assertThat(text)
                .contains("Sort [PartitionKey", "ASC NULLS FIRST, RowKey")
                .contains("azuretable " + bench.table().name() + " upsert-merge")
                .doesNotContain("AccountKey");
        if (shuffle.isEmpty()) {
            assertThat(text).doesNotContain("hashpartitioning(PartitionKey");
        } else {
            assertThat(text).contains("hashpartitioning(PartitionKey", shuffle);
        }
    }

    @Test
    @DisplayName("counts entities, requests, retries and throttles of all tasks")
    void metrics(FaultProxy proxy) throws Exception {
        proxy.when(requests().path("**$batch").nth(2))
                .respond(StubResponse.error(503, "ServerBusy", "The server is busy."));
        bench.write(WriteBench.numbered(5, 250), "insert").save();

        Map<String, Long> counts = counts(plan());

        assertThat(counts)
                .containsEntry("entities", 1_250L)
                .containsEntry("knownEntities", 0L)
                .containsEntry("throttles", 1L)
                .containsEntry("requests", (long)
                        proxy.recorded(requests().path("**$batch")).size());
    }

    private static Map<String, Long> counts(SparkPlan plan) {
        Map<String, Long> counts = new TreeMap<>();
        plan.metrics().foreach(metric -> counts.put(metric._1(), metric._2().value()));
        return counts;
    }

    @ParameterizedTest
    @CsvSource({"1000, 200, 8, 125", "1000, 4, 8, 250", "7, 100, 14, 0.5", "0, 4, 8, 0", "100, 0, 0, 100"})
    @DisplayName("divides the rate by the tasks that run at a time")
    void share(int rate, int tasks, int slots, double share) {
        assertThat(TableWrite.share(rate, tasks, slots)).isEqualTo(share);
    }

    @Test
    @DisplayName("keeps to the rate of the option")
    void rate() {
        long start = System.nanoTime();

        bench.write(WriteBench.numbered(2, 40), "upsert-replace")
                .option("entitiesPerSecond", "100")
                .save();

        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(700));
        assertThat(bench.stored()).hasSize(80);
    }
}
