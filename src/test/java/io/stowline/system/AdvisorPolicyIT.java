package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.ParallelTransferOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.QueueMessageItem;
import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Advisor;
import io.stowline.advisor.Finding;
import io.stowline.advisor.Practice;
import io.stowline.advisor.Severity;
import io.stowline.advisor.Threshold;
import io.stowline.advisor.TrafficPolicies;
import io.stowline.observe.AttemptEvent;
import io.stowline.observe.QueryPageEvent;
import io.stowline.observe.StowlineListener;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The attempts of the Azure SDK's clients, as the advisor's policy reads them. */
class AdvisorPolicyIT extends StorageTest implements StowlineListener {

    private final List<Fact> facts = new CopyOnWriteArrayList<>();
    private final List<QueryPageEvent> pages = new CopyOnWriteArrayList<>();

    private record Fact(
            String operation,
            String container,
            @Nullable String partition,
            @Nullable String row,
            int entities,
            int returned,
            int status,
            @Nullable String errorCode,
            AttemptEvent.Condition condition,
            long bytesSent,
            long bytesReceived,
            @Nullable String etag) {}

    @Override
    public void onAttemptEnd(AttemptEvent event) {
        facts.add(new Fact(
                event.operation(),
                event.container(),
                event.partition(),
                event.row(),
                event.entities(),
                event.returned(),
                event.status(),
                event.errorCode(),
                event.condition(),
                event.bytesSent(),
                event.bytesReceived(),
                event.etag()));
    }

    @Override
    public void onQueryPage(QueryPageEvent event) {
        pages.add(event);
    }

    private static TableEntity runner(String partition, String row) {
        return new TableEntity(partition, row).addProperty("age", 40);
    }

    @Test
    @DisplayName("each verb of tables shows its keys, its operations, its rows and its error")
    void tables() {
        TableServiceClient service = new TableServiceClientBuilder()
                .connectionString(connectionString())
                .addPolicy(TrafficPolicies.before(this))
                .buildClient();
        String name = freshName();
        TableClient table = service.createTable(name);
        table.createEntity(runner("2026 NYC", "O'Hara é"));
        assertThatThrownBy(() -> table.createEntity(runner("2026 NYC", "O'Hara é")))
                .isInstanceOf(TableServiceException.class)
                .hasMessageContaining("EntityAlreadyExists");
        TableEntity read = table.getEntity("2026 NYC", "O'Hara é");
        table.upsertEntityWithResponse(runner("p", "1"), TableEntityUpdateMode.REPLACE, null, Context.NONE);
        table.upsertEntityWithResponse(runner("p", "2"), TableEntityUpdateMode.MERGE, null, Context.NONE);
        table.updateEntityWithResponse(read, TableEntityUpdateMode.MERGE, true, null, Context.NONE);
        table.deleteEntity("p", "1");
        table.submitTransaction(IntStream.range(0, 7)
                .mapToObj(i -> new TableTransactionAction(TableTransactionActionType.CREATE, runner("b", "r" + i)))
                .toList());
        assertThat(table.listEntities(
                        new ListEntitiesOptions()
                                .setFilter("PartitionKey eq 'b' and age ge 18")
                                .setTop(5),
                        null,
                        null))
                .hasSize(7);
        service.deleteTable(name);

        assertThat(facts)
                .extracting(
                        Fact::operation,
                        Fact::container,
                        Fact::partition,
                        Fact::row,
                        Fact::entities,
                        Fact::returned,
                        Fact::status)
                .containsExactly(
                        tuple("create", "", null, null, 1, -1, facts.get(0).status()),
                        tuple(
                                "insert",
                                name,
                                "2026 NYC",
                                "O'Hara é",
                                1,
                                -1,
                                facts.get(1).status()),
                        tuple("insert", name, "2026 NYC", "O'Hara é", 1, -1, 409),
                        tuple("find", name, "2026 NYC", "O'Hara é", 1, 1, 200),
                        tuple("insertOrReplace", name, "p", "1", 1, -1, 204),
                        tuple("insertOrMerge", name, "p", "2", 1, -1, 204),
                        tuple("merge", name, "2026 NYC", "O'Hara é", 1, -1, 204),
                        tuple("delete", name, "p", "1", 1, -1, 204),
                        tuple("transaction", name, "b", null, 7, -1, 202),
                        tuple("query", name, "b", null, 1, 5, 200),
                        tuple("query", name, "b", null, 1, 2, 200),
                        tuple("drop", name, null, null, 1, -1, 204));
        assertThat(facts.get(2).errorCode()).isEqualTo("EntityAlreadyExists");
        assertThat(facts.get(6).condition()).isEqualTo(AttemptEvent.Condition.IF_MATCH);
        assertThat(read.getETag())
                .startsWith(facts.get(3).etag()); // the emulator leaves the last quote out of the header
        assertThat(pages)
                .extracting(
                        QueryPageEvent::queryClass,
                        QueryPageEvent::shape,
                        QueryPageEvent::returned,
                        QueryPageEvent::scanned,
                        QueryPageEvent::continued)
                .containsExactly(
                        tuple("partition", "PartitionKey eq ? and age ge ?", 5, 1_000, true),
                        tuple("partition", "PartitionKey eq ? and age ge ?", 2, 1_000, false));
    }

    @Test
    @DisplayName("each verb of queues shows its messages and bytes, blocking and not")
    void queues() {
        QueueServiceClientBuilder builder = new QueueServiceClientBuilder()
                .connectionString(connectionString())
                .addPolicy(TrafficPolicies.before(this));
        String name = "q" + UUID.randomUUID();
        QueueClient queue = builder.buildClient().createQueue(name);
        QueueAsyncClient reactive = builder.buildAsyncClient().getQueueAsyncClient(name);
        queue.sendMessage("x".repeat(1_000));
        reactive.sendMessage("y").block();
        assertThat(queue.receiveMessages(32)).hasSize(2);
        assertThat(reactive.receiveMessages(5).collectList().block()).isEmpty();
        queue.sendMessage("z");
        QueueMessageItem last = queue.receiveMessage();
        queue.updateMessage(last.getMessageId(), last.getPopReceipt(), "z2", java.time.Duration.ZERO);
        assertThatThrownBy(() -> queue.deleteMessage(last.getMessageId(), last.getPopReceipt()))
                .isNotNull();
        queue.clearMessages();
        queue.delete();

        assertThat(facts)
                .extracting(Fact::operation, Fact::container, Fact::entities, Fact::returned)
                .containsExactly(
                        tuple("create", name, 1, -1),
                        tuple("send", name, 1, -1),
                        tuple("send", name, 1, -1),
                        tuple("receive", name, 32, 2),
                        tuple("receive", name, 5, 0),
                        tuple("send", name, 1, -1),
                        tuple("receive", name, 1, 1),
                        tuple("update", name, 1, -1),
                        tuple("delete", name, 1, -1),
                        tuple("clear", name, 1, -1),
                        tuple("drop", name, 1, -1));
        assertThat(facts.get(1).bytesSent()).isBetween(1_000L, 2_000L);
        assertThat(facts.get(3).bytesReceived()).isGreaterThan(1_000);
        assertThat(facts.get(8).errorCode()).isNotNull();
    }

    @Test
    @DisplayName("each verb of blobs shows its blob and bytes, and a download arrives whole")
    void blobs() {
        BlobContainerClient photos = new BlobServiceClientBuilder()
                .connectionString(connectionString())
                .addPolicy(TrafficPolicies.before(this))
                .buildClient()
                .createBlobContainer("c" + UUID.randomUUID());
        BlobClient blob = photos.getBlobClient("2026/a b.jpg");
        blob.upload(BinaryData.fromBytes(new byte[5_000]));
        assertThat(blob.downloadContent().toBytes()).hasSize(5_000);
        assertThat(blob.exists()).isTrue();
        blob.uploadWithResponse(
                new BlobParallelUploadOptions(BinaryData.fromBytes(new byte[2 << 20]))
                        .setParallelTransferOptions(new ParallelTransferOptions()
                                .setBlockSizeLong(1L << 20)
                                .setMaxSingleUploadSizeLong(1L << 20)
                                .setMaxConcurrency(1)),
                null,
                Context.NONE);
        assertThat(photos.listBlobs()).hasSize(1);
        blob.delete();
        photos.delete();

        assertThat(facts)
                .extracting(Fact::operation, Fact::partition)
                .containsExactly(
                        tuple("create", null),
                        tuple("upload", "2026/a b.jpg"),
                        tuple("download", "2026/a b.jpg"),
                        tuple("info", "2026/a b.jpg"),
                        tuple("upload", "2026/a b.jpg"),
                        tuple("upload", "2026/a b.jpg"),
                        tuple("upload", "2026/a b.jpg"),
                        tuple("list", null),
                        tuple("delete", "2026/a b.jpg"),
                        tuple("drop", null));
        assertThat(facts).extracting(Fact::container).containsOnly(photos.getBlobContainerName());
        assertThat(facts.get(1).bytesSent()).isEqualTo(5_000);
        assertThat(facts.get(1).condition()).isEqualTo(AttemptEvent.Condition.IF_NONE_MATCH);
        assertThat(facts.get(2).bytesReceived()).isEqualTo(5_000);
        assertThat(facts.get(3).bytesReceived()).isZero();
        assertThat(facts.get(4).bytesSent()).isEqualTo(1 << 20);
    }

    @Test
    @DisplayName("a program of the SDK that scans, writes one by one into one partition and polls gets these findings")
    void findings() {
        Advisor advisor = Advisor.of(a -> a.minSamples(50)
                .threshold(Threshold.WRITE_RATE, 0)
                .threshold(Threshold.SINGLE_WRITE_TIME, 0)
                .threshold(Threshold.PARTITION_ENTITIES, 0)
                .threshold(Threshold.TABLE_SCANS, 0)
                .threshold(Threshold.SPARSE_QUERIES, 0)
                .threshold(Threshold.POLL_RATE, 0)
                .threshold(Threshold.ROUND_TRIP, 10_000));
        TableClient table = new TableServiceClientBuilder()
                .connectionString(connectionString())
                .addPolicy(advisor.policy())
                .buildClient()
                .createTable(freshName());
        QueueClient queue = new QueueServiceClientBuilder()
                .connectionString(connectionString())
                .addPolicy(advisor.policy())
                .buildClient()
                .createQueue("q" + UUID.randomUUID());
        for (int i = 0; i < 1_000; i += 100) {
            table.submitTransaction(IntStream.range(i, i + 100)
                    .mapToObj(row ->
                            new TableTransactionAction(TableTransactionActionType.CREATE, runner("archive", "t" + row)))
                    .toList());
        }
        IntStream.range(0, 60).forEach(i -> table.createEntity(runner("all", "r" + i)));
        IntStream.range(0, 6).forEach(i -> assertThat(
                        table.listEntities(new ListEntitiesOptions().setFilter("age eq " + i), null, null))
                .isEmpty());
        IntStream.range(0, 10).forEach(i -> {
            table.getEntity("all", "r" + i);
            table.upsertEntity(runner("all", "r" + i));
        });
        IntStream.range(0, 60).forEach(i -> assertThat(queue.receiveMessages(1)).isEmpty());

        AdviceReport report = advisor.report();
        table.deleteTable();
        queue.delete();

        assertThat(report.findings())
                .extracting(Finding::practice)
                .contains(Practice.T2, Practice.T6, Practice.T7, Practice.T8, Practice.T11, Practice.T12, Practice.T13)
                .contains(Practice.T21, Practice.Q5);
        assertThat(report.of(Practice.A10).severity()).isEqualTo(Severity.NOT_APPLICABLE);
        assertThat(report.of(Practice.A13).severity()).isEqualTo(Severity.NOT_APPLICABLE);
        assertThat(report.toString()).doesNotContain("'all'", "r42");
    }
}
