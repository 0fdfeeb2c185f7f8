package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.ShardedQueue;
import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.Table;
import io.stowline.table.transfer.EntitySource;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work on tables whose partitions have messages that wait: it leaves their rows out, and the messages go out afterwards. */
@Timeout(60)
class OutboxRowsTest {

    record Order(@PartitionKey String customer, @RowKey String number, int amount) {}

    private static final Order ORDER = new Order("ada", "O:1", 10);
    private static final Index<Order, Integer> AMOUNT = Index.number("AMOUNT", 6, Order::amount);

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = client(memory);
    private final Table<Order> orders = storage.table("orders", Order.class);
    private final IndexedTable<Order> indexed = orders.indexed(AMOUNT);
    private final MessageQueue<String> confirmations =
            storage.queue("confirmations").withEnvelope(e -> e);

    @TempDir
    Path folder;

    private static Stowline client(MemoryStorage account) {
        return Stowline.builder()
                .connectionString(account.connectionString())
                .httpClient(account.httpClient())
                .build();
    }

    /** Leaves two messages, whose queue is missing. */
    @BeforeEach
    void leave() {
        orders.createIfMissing();
        orders.transaction("ada")
                .in(indexed)
                .insert(ORDER)
                .send(confirmations, "first")
                .send(confirmations, "second")
                .commit();
        while (memory.requests().stream().noneMatch(request -> request.contains("/confirmations/messages"))) {
            ShortPause.park();
        }
        assertThat(waiting(memory, "orders")).isEqualTo(2);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    /** Counts the rows that wait, as they stand in the table. */
    private static long waiting(MemoryStorage account, String table) {
        String root = account.connectionString().replaceFirst(".*TableEndpoint=(https://[^;]*);.*", "$1");
        HttpClient client = account.httpClient();
        HttpRequest request = new HttpRequest(HttpMethod.GET, root + "/" + table + "()")
                .setHeader(com.azure.core.http.HttpHeaderName.ACCEPT, "application/json;odata=nometadata");
        String body =
                client.send(request).flatMap(HttpResponse::getBodyAsString).block();
        return ("" + body).split("~stowline-outbox~", -1).length - 1L;
    }

    private void assertSent() {
        confirmations.create();
        assertThat(storage.outbox().recover("orders")).isEqualTo(1);
        try (QueueConsumer relay = storage.outbox().relay()) {
            while (relay.stats().completed() == 0) {
                ShortPause.park();
            }
        }
        assertThat(confirmations.receive(32))
                .extracting(ReceivedMessage::body)
                .containsExactlyInAnyOrder("first", "second");
        assertThat(waiting(memory, "orders")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders.jsonl", "orders.csv"})
    @DisplayName("MOVE-1: an export leaves messages out, so that an import of the file sends nothing again")
    void exports(String name) throws Exception {
        Path file = folder.resolve(name);
        long read = storage.tables()
                .export("orders", file, s -> name.endsWith("csv") ? s.select("amount") : s)
                .read();

        List<Entity> rows = storage.table("orders").query().list();
        assertThat(read).isEqualTo(rows.size()).isEqualTo(2);
        assertThat(Files.readString(file)).contains("O:1").doesNotContain("stowline-outbox");
        try (Stream<Path> beside = Files.list(folder)) {
            for (Path each : beside.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(each)).doesNotContain("stowline-outbox");
            }
        }
        Table<Entity> restored = storage.table("restored");
        restored.create();
        storage.tables().importFrom(file, "restored");
        assertThat(waiting(memory, "restored")).isZero();
        assertThat(restored.query().list()).hasSize(2);
        assertSent();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("MOVE-1: a copy, into another account as well, has no message, and a comparison finds no difference")
    void copies(boolean elsewhere) {
        MemoryStorage account = elsewhere ? MemoryStorage.create() : memory;
        try (Stowline other = client(account)) {
            Table<Entity> copy = other.table("copy");
            copy.create();
            assertThat(storage.tables().copy("orders", copy).written()).isEqualTo(2);

            assertThat(waiting(account, "copy")).isZero();
            try (var differences =
                    storage.tables().compare(EntitySource.of(storage.table("orders")), EntitySource.of(copy))) {
                assertThat(differences).isEmpty();
            }
        }
        assertSent();
    }

    @Test
    @DisplayName("OUTCOME-7: a deletion of a partition of a plain table leaves messages, which go out")
    void deleteAll() {
        assertThat(storage.table("orders").query().partition("ada").deleteAll().deleted())
                .isEqualTo(2);
        assertThat(waiting(memory, "orders")).isEqualTo(2);
        assertSent();
    }

    @Test
    @DisplayName("T11: a repair of indexes neither counts nor removes messages")
    void repairs() {
        assertThat(indexed.repair().clean()).isTrue();
        assertThat(indexed.repair("ada").clean()).isTrue();
        storage.table("orders")
                .insert(Entity.builder("ada", "O:2").set("amount", 20).build());
        assertThat(indexed.repair().clean()).isFalse();
        assertThat(indexed.repair().clean()).isTrue();
        assertThat(waiting(memory, "orders")).isEqualTo(2);
        assertSent();
    }

    @Test
    @DisplayName("OUTCOME-7: a message to a sharded queue goes to the shard of a key")
    void sharded() {
        ShardedQueue<String> wide =
                storage.shardedQueue("wide", String.class, s -> s.sendTo(4).receiveFrom(4));
        wide.createIfMissing();
        orders.transaction("bob")
                .insert(new Order("bob", "O:1", 1))
                .send(wide.shardOf("bob"), "hello")
                .commit();

        List<ReceivedMessage<String>> received = List.of();
        while (received.isEmpty()) {
            received = wide.receive(1);
        }
        assertThat(received.get(0).body()).isEqualTo("hello");
        assertThat(wide.shardOf(received.get(0)).name())
                .isEqualTo(wide.shardOf("bob").name());
    }
}
