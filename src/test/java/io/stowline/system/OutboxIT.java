package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.Table;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class OutboxIT extends StorageTest {

    record Order(@PartitionKey String customer, @RowKey String number, int amount) {}

    private static final Order ORDER = new Order("ada", "O:1", 10);
    private static final Index<Order, Integer> AMOUNT = Index.number("AMOUNT", 6, Order::amount);

    private Table<Order> orders;
    private MessageQueue<Order> confirmations;

    @BeforeEach
    void make() {
        orders = freshTable(Order.class)
                .withRetry(r -> r.deadline(Duration.ofSeconds(4)).attemptTimeout(Duration.ofSeconds(2)));
        confirmations = storage.queue("c" + UUID.randomUUID().toString().substring(0, 30), Order.class)
                .withEnvelope(e -> e);
        confirmations.create();
    }

    @AfterEach
    void drop() {
        confirmations.dropIfExists();
    }

    private List<ReceivedMessage<Order>> await(MessageQueue<Order> queue, int count) {
        List<ReceivedMessage<Order>> all = new ArrayList<>();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (all.stream().map(ReceivedMessage::eventId).distinct().count() < count && System.nanoTime() < until) {
            all.addAll(queue.receive(32, Duration.ofMinutes(5)));
            ShortPause.park();
        }
        assertThat(all.stream().map(ReceivedMessage::eventId).distinct()).hasSize(count);
        return all;
    }

    @Test
    @DisplayName(
            "OUTCOME-7: a row, its index row and two messages are one transaction; the messages arrive without a relay")
    void oneStep() throws Exception {
        IndexedTable<Order> indexed = orders.indexed(AMOUNT);
        String traceless = "plain" + confirmations.name().substring(5);
        MessageQueue<String> plain = storage.queue(traceless);
        plain.create();
        try {
            orders.transaction("ada")
                    .in(indexed)
                    .insert(ORDER)
                    .send(confirmations, ORDER)
                    .send(plain, "to <all> & none", s -> s.timeToLive(Duration.ofHours(1)))
                    .commit();

            assertThat(await(confirmations, 1))
                    .extracting(ReceivedMessage::body)
                    .containsExactly(ORDER);
            List<ReceivedMessage<String>> texts = new ArrayList<>();
            while (texts.isEmpty()) {
                texts.addAll(plain.receive(1));
            }
            assertThat(texts).extracting(ReceivedMessage::body).containsExactly("to <all> & none");
            assertThat(Duration.between(texts.get(0).insertedAt(), texts.get(0).expiresAt()))
                    .isEqualTo(Duration.ofHours(1));
            assertThat(indexed.query().partition("ada").list()).containsExactly(ORDER);
        } finally {
            plain.drop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/**/stowline-outbox/messages", "/**/$batch", "messages"})
    @DisplayName("OUTCOME-7: a lost response at the hint, the transaction and the send: one id, and the row")
    void lostResponses(String path) throws Exception {
        String of = path.equals("messages") ? "/**/" + confirmations.name() + "/messages" : path;
        FaultRule lost =
                proxy().when(requests().method("POST").path(of).times(1)).loseResponse();
        try (QueueConsumer relay = storage.outbox().relay()) {
            orders.transaction("ada").insert(ORDER).send(confirmations, ORDER).commit();

            assertThat(await(confirmations, 1))
                    .extracting(ReceivedMessage::body)
                    .contains(ORDER);
            assertThat(lost.hits()).isEqualTo(1);
            assertThat(orders.find("ada", "O:1")).isPresent();
            assertThat(relay.stats().poisoned()).isZero();
        }
    }

    @Test
    @DisplayName("OUTCOME-7: the relay of another client sends what its sender could not")
    void relayed() throws Exception {
        RequestMatch sends = requests().method("POST").path("/**/" + confirmations.name() + "/messages");
        FaultRule refused = proxy().when(sends).respond(StubResponse.of(503));
        orders.transaction("ada").insert(ORDER).send(confirmations, ORDER).commit();
        while (refused.hits() == 0) {
            ShortPause.park();
        }
        assertThat(orders.query().partition("ada").list()).containsExactly(ORDER);

        try (Stowline other = client(connectionString());
                QueueConsumer relay = other.outbox().relay()) {
            refused.remove();
            assertThat(await(confirmations, 1)).hasSize(1);
            assertThat(relay.isPaused()).isFalse();
        }
    }

    @Test
    @DisplayName("OUTCOME-7: a body that is too large for a message waits in a blob")
    void claimCheck() throws Exception {
        BlobContainer bodies = storage.container(confirmations.name());
        bodies.create();
        try {
            MessageQueue<String> large = storage.queue(confirmations.name()).withEnvelope(e -> e.claimCheck(bodies));
            String body = "x".repeat(100_000);
            orders.transaction("ada").insert(ORDER).send(large, body).commit();

            List<ReceivedMessage<String>> received = new ArrayList<>();
            while (received.isEmpty()) {
                received.addAll(large.receive(1));
            }
            assertThat(received.get(0).body()).isEqualTo(body);
        } finally {
            bodies.drop();
        }
    }

    @Test
    @DisplayName("OUTCOME-7: limits: messages count as operations, and queues of other clients are refused")
    void limits() {
        try (Stowline other = client(connectionString())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> orders.transaction("ada").send(other.queue(confirmations.name()), "x"))
                    .withMessageContaining("different Stowline clients");
        }
        var full = orders.transaction("ada");
        for (int i = 0; i < 99; i++) {
            full.insert(new Order("ada", "O:" + i, i));
        }
        full.send(confirmations, ORDER);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> full.send(confirmations, ORDER))
                .withMessageContaining("message 1 of the transaction (to the queue " + confirmations.name() + ")")
                .withMessageContaining("100 operations");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        orders.transaction("ada").send(confirmations, ORDER).commit())
                .withMessageContaining("has no operation");
    }
}
