package io.stowline.benchmarks.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.benchmarks.side.bare.BareClient;
import io.stowline.benchmarks.side.bare.BareRead;
import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.stub.StubResponses;
import io.stowline.benchmarks.side.stub.StubServer;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.BlobSizes;
import io.stowline.benchmarks.side.work.MessageFlow;
import io.stowline.benchmarks.side.work.Orders;
import io.stowline.benchmarks.side.work.Task;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every contender does its work, and the least that a round can be, in each scenario. */
class WorkloadsTest {

    private static final BlobSizes SMALL = new BlobSizes(1, 4, 1, 1, 500, 1_000);

    private static StubServer server;
    private static Account account;
    private static Workloads workloads;
    private static Workloads counted;

    /** Some for all scenarios, as in a process that measures several. */
    @BeforeAll
    static void start() throws InterruptedException {
        server = StubServer.start(Duration.ZERO);
        account = StubProcess.account(server.port());
        workloads = new Workloads(account, account, 1_000, SMALL);
        counted = new Workloads(account, account, 1_000, BlobSizes.QUICK);
    }

    @AfterAll
    static void stop() throws Exception {
        workloads.close();
        counted.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void everyContenderWorks(Scenario scenario) throws Exception {
        Map<Contender, Task> tasks = workloads.of(scenario);

        assertThat(tasks).containsKeys(Contender.STOWLINE, Contender.PEER);
        for (Map.Entry<Contender, Task> task : tasks.entrySet()) {
            assertThat(task.getValue().run(0).items())
                    .as(task.getKey().title())
                    .isEqualTo(min(scenario, task.getKey()));
        }
    }

    private static long min(Scenario scenario, Contender contender) {
        boolean stowline = contender == Contender.STOWLINE;
        return switch (scenario) {
            case POINT_READ, POINT_READ_METERED, POINT_READ_ADVISED, UPSERT, QUEUE_SEND, QUEUE_CONSUME -> 32;
            case INGEST -> stowline ? Orders.PARTITIONS : 800;
            case SCAN, PROJECTED -> (stowline ? 1L : 2L) * StubResponses.PAGE * StubResponses.PAGES;
            case SINGLES -> stowline ? 2 : 32;
            case SINGLES_ADVISED -> 2;
            case READING_TRANSACTIONS -> 800;
            case READING_SUBMISSIONS -> stowline ? 100 : 800;
            case READING_MONOS -> stowline ? 4_000 : 800;
            case READING_STREAM -> stowline ? 1 : 800;
            case QUEUE_RECEIVE -> (contender == Contender.BARE ? 32 : 1) * Orders.RECEIVED;
            case BLOB_GET, BLOB_PUT, BLOB_PUT_CHECKED -> 16;
            case BLOB_FILE_UP, BLOB_FILE_UP_SUMS, BLOB_FILE_DOWN, BLOB_FILE_DOWN_SUMS -> SMALL.fileMiB();
            case BLOB_DIRECTORY_UP,
                    BLOB_DIRECTORY_UP_SUMS,
                    BLOB_DIRECTORY_DOWN,
                    BLOB_DIRECTORY_DOWN_SUMS,
                    BLOB_COPY,
                    BLOB_COPY_STREAMED -> SMALL.blobs();
            case BLOB_STREAM, BLOB_STREAM_SUMS, BLOB_STREAM_DEFAULT -> SMALL.streamMiB();
            case BLOB_TEXT, BLOB_TEXT_PLAIN -> SMALL.textMiB();
            case TABLE_EXPORT -> (stowline ? 1L : 2L) * SMALL.rows();
            case TABLE_EXPORT_MANY -> (stowline ? 1L : 2L) * SMALL.manyRows();
            case TABLE_IMPORT -> SMALL.rows();
            case TABLE_IMPORT_MANY -> SMALL.manyRows();
            case IDLE, ONE_READ, ONE_UPSERT -> 1;
            case DISTANT -> stowline ? Orders.PARTITIONS : contender == Contender.ALONE ? 100 : 800;
        };
    }

    @Test
    void theRequestsOfConsumersAreCounted() throws Exception {
        for (Map.Entry<Contender, Task> task :
                workloads.of(Scenario.QUEUE_CONSUME).entrySet()) {
            assertThat(task.getValue().run(0).requests())
                    .as("a send and a delete for each message, and a receive: " + task.getKey())
                    .isGreaterThan(2 * MessageFlow.SENDS);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BLOB_FILE_UP, 5, 4",
        "BLOB_FILE_UP_SUMS, 5, 4",
        "BLOB_FILE_DOWN, 3, 3",
        "BLOB_DIRECTORY_DOWN, 41, 41",
        "BLOB_STREAM, 5, 5",
        "BLOB_COPY, 81, 81",
        "BLOB_COPY_STREAMED, 81, 81"
    })
    void theRequestsOfTransfersAreCounted(Scenario scenario, long stowline, long peer) throws Exception {
        Map<Contender, Task> tasks = counted.of(scenario);

        assertThat(tasks.get(Contender.STOWLINE).run(0).requests()).isEqualTo(stowline);
        assertThat(tasks.get(Contender.PEER).run(0).requests()).isEqualTo(peer);
    }

    @Test
    void transactionsOfImportsAreFull() throws Exception {
        Task imported = counted.of(Scenario.TABLE_IMPORT).get(Contender.STOWLINE);
        imported.run(0);

        assertThat(imported.run(0).requests())
                .as("13 cities in each of 231 partitions")
                .isEqualTo(231);
    }

    @Test
    void theTablesAreMadeAndFilled() {
        workloads.prepare();
    }

    @Test
    void noHandMadeClientTalksToARealService() throws Exception {
        try (Workloads real = new Workloads(account, null, 1_000, BlobSizes.QUICK)) {
            assertThat(real.of(Scenario.INGEST)).containsOnlyKeys(Contender.STOWLINE, Contender.PEER);
            assertThatThrownBy(() -> real.of(Scenario.DISTANT)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @Timeout(30)
    void aBareClientFailsWhenItsServerIsGone() throws Exception {
        StubServer leaving = StubServer.start(Duration.ZERO);
        Account gone = StubProcess.account(leaving.port());
        try (BareClient client = new BareClient(gone, 1, new BareRead(gone, 10))) {
            // A server that ends beside the accept of a connection may leave it open.
            assertThat(client.run(0).items()).isPositive();
            leaving.close();

            assertThatThrownBy(() -> client.run(0)).hasMessageContaining("the bare client failed");
        }
    }
}
