package io.stowline.benchmarks.side.stub;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionResponse;
import com.azure.data.tables.models.TableTransactionActionType;
import io.stowline.Stowline;
import io.stowline.benchmarks.side.StubProcess;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Metadata;
import io.stowline.benchmarks.side.work.Order;
import io.stowline.benchmarks.side.work.Orders;
import io.stowline.benchmarks.side.work.SizedEntities;
import io.stowline.queue.MessageQueue;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Both clients understand what the stub says, and it counts as they do. */
class StubServerTest {

    private static final Order FIRST = Orders.order(1);
    private static final int ALL = StubResponses.PAGE * StubResponses.PAGES;

    private StubServer server;
    private Stowline storage;
    private Table<Order> table;
    private TableClient sdk;

    @BeforeEach
    void start() throws InterruptedException {
        server = StubServer.start(Duration.ZERO);
        Account account = StubProcess.account(server.port());
        storage = Stowline.builder()
                .tableEndpoint(account.endpoint())
                .queueEndpoint(account.endpoint())
                .accountName(account.name())
                .credential(account.credential())
                .build();
        table = storage.table(Account.READ, Order.class);
        sdk = new TableClientBuilder()
                .endpoint(account.endpoint())
                .credential(account.credential())
                .tableName(Account.READ)
                .buildClient();
    }

    @AfterEach
    void stop() {
        storage.close();
        server.close();
    }

    @Test
    void bothReadTheSameEntity() {
        StoredEntity<Order> stored = table.find(FIRST.partition(), FIRST.row()).orElseThrow();
        TableEntity entity = sdk.getEntity(FIRST.partition(), FIRST.row());

        assertThat(stored.value()).isEqualTo(FIRST);
        assertThat(stored.etag()).isEqualTo(StubRows.ETAG);
        assertThat(entity.getETag()).isEqualTo(StubRows.ETAG);
        assertThat(entity.getProperties())
                .containsAllEntriesOf(Orders.entity(FIRST.partition(), 1).getProperties())
                .containsEntry("placed", OffsetDateTime.ofInstant(FIRST.placed(), ZoneOffset.UTC));
    }

    @Test
    void anEntityIsAboutAKilobyte() {
        String text = new StubRows(Metadata.NONE, List.of()).entity(FIRST);

        assertThat(text).hasSizeBetween(1_000, 1_300);
        assertThat(Order.class.getRecordComponents()).hasSize(2 + 10);
    }

    @Test
    void bothAreReportedTheETagOfAnUpsert() {
        String etag = sdk.upsertEntityWithResponse(
                        Orders.entity(FIRST.partition(), 1), TableEntityUpdateMode.REPLACE, null, null)
                .getHeaders()
                .getValue(HttpHeaderName.ETAG);

        assertThat(table.insertOrReplace(FIRST).etag()).isEqualTo(StubRows.ETAG);
        assertThat(table.insert(FIRST).etag()).isEqualTo(StubRows.ETAG);
        assertThat(etag).startsWith("W/\"datetime'2026-11-21T03");
    }

    @Test
    void theSdkTakesATransactionOfEachSize() {
        for (int size : new int[] {1, 2, 99, 100}) {
            List<TableTransactionActionResponse> parts = sdk.submitTransaction(IntStream.range(0, size)
                            .mapToObj(n -> new TableTransactionAction(
                                    TableTransactionActionType.UPSERT_REPLACE, Orders.entity("p", n)))
                            .toList())
                    .getTransactionActionResponses();

            assertThat(parts).hasSize(size).allSatisfy(part -> assertThat(part.getStatusCode())
                    .isEqualTo(204));
        }
    }

    @Test
    void aWriterIsRespondedForEachOperation() {
        try (TableWriter<Order> writer = table.writer()) {
            for (int n = 0; n < 1_000; n++) {
                writer.insertOrReplace(Orders.order(n));
            }
            assertThat(writer.flush().completed()).isEqualTo(1_000);
        }
    }

    @Test
    void aTransactionHasOneETagForEachOperation() {
        assertThat(table.transaction("shop-10")
                        .insertOrReplace(Orders.order("shop-10", 1))
                        .insert(Orders.order("shop-10", 2))
                        .commit())
                .hasSize(2)
                .allSatisfy(written -> assertThat(written.etag()).isEqualTo(StubRows.ETAG));
    }

    @Test
    void bothFindTheSameEntitiesOnAllPages() {
        try (Stream<Order> orders = table.query().stream()) {
            assertThat(orders).hasSize(ALL).contains(Orders.order("shop-11", 0), Orders.order("shop-14", 999));
        }
        assertThat(sdk.listEntities()).hasSize(ALL).first().satisfies(entity -> assertThat(entity.getProperties())
                .containsAllEntriesOf(Orders.entity("shop-11", 0).getProperties()));
    }

    @Test
    void bothFindTwoPropertiesOnAllPages() {
        try (Stream<Order.Brief> orders = table.query().as(Order.Brief.class).stream()) {
            assertThat(orders).hasSize(ALL).contains(new Order.Brief(FIRST.customer(), 2));
        }
        assertThat(sdk.listEntities(new ListEntitiesOptions().setSelect(Orders.BRIEF), null, null))
                .hasSize(ALL)
                .first()
                .satisfies(entity -> assertThat(entity.getProperties())
                        .containsEntry("customer", Orders.order(0).customer())
                        .containsEntry("quantity", 1)
                        .doesNotContainKeys("address", "placed"));
    }

    @Test
    void aQueueHandsOutEachMessageOnce() {
        MessageQueue<String> jobs = storage.queue(Account.CONSUMED);
        List<String> sent = LongStream.range(0, 40).mapToObj(Orders::message).toList();
        sent.forEach(jobs::send);

        List<String> received = new ArrayList<>();
        for (int max : new int[] {30, 32, 32}) {
            jobs.receive(max).forEach(message -> {
                received.add(message.body());
                jobs.delete(message);
            });
        }
        assertThat(received).containsExactlyElementsOf(sent);
        assertThat(jobs.approximateCount()).isZero();
    }

    @Test
    void queuesWithNumbersAreApart() throws IOException {
        storage.queue(Account.CONSUMED + 1).send(Orders.message(0));
        URI fill = URI.create(
                StubProcess.account(server.port()).endpoint() + "/" + String.format(Locale.ROOT, Account.FILL, 2, 5));
        fill.toURL().openStream().close();

        assertThat(IntStream.range(0, 3).mapToLong(number -> storage.queue(Account.CONSUMED + number)
                        .approximateCount()))
                .containsExactly(5L, 6L, 0L);
    }

    @Test
    void anEntityHasTheSizeInItsRowKey() {
        Table<Entity> sized = storage.table(Account.SIZED, Entity.class);
        for (int kib : new int[] {1, 64, 1_000}) {
            Entity entity = sized.find(SizedEntities.PARTITION, Integer.toString(kib))
                    .orElseThrow()
                    .value();

            assertThat(entity.properties()).isEqualTo(SizedEntities.texts(kib));
            assertThat(entity.properties().values().stream()
                            .mapToInt(text -> 2 * ((String) text).length())
                            .sum())
                    .isEqualTo(kib << 10);
            sized.insertOrReplace(entity);
        }
    }

    @Test
    void aDistantServerRespondsLate() throws InterruptedException {
        try (StubServer late = StubServer.start(Duration.ofMillis(50))) {
            Account account = StubProcess.account(late.port());
            try (Stowline far = Stowline.builder()
                    .tableEndpoint(account.endpoint())
                    .accountName(account.name())
                    .credential(account.credential())
                    .build()) {
                long began = System.nanoTime();
                far.table(Account.READ, Order.class).insertOrReplace(FIRST);

                assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
            }
        }
    }
}
