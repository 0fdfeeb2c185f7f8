package io.stowline.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("A sender may name the event of a message")
class NamedEventTest {

    private static final UnaryOperator<SendSettings.Builder> NAMED = settings -> settings.eventId("order-17");

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();
    private final MessageQueue<String> plain = storage.queue("orders");
    private final MessageQueue<String> orders =
            plain.withEnvelope(e -> e.maxBody(100_000).claimCheck(storage.container("bodies")));

    @BeforeEach
    void create() {
        plain.create();
        storage.container("bodies").create();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    @Test
    void bothFacesWriteTheIdIntoTheEnvelope() {
        orders.send("blocking", NAMED);
        orders.reactive().send("reactive", NAMED).block();

        assertThat(orders.receive(2)).extracting(ReceivedMessage::eventId).containsExactly("order-17", "order-17");
    }

    record Order(@PartitionKey String customer, @RowKey String number) {}

    @Test
    void aMessageOfATransactionHasTheId() {
        Table<Order> table = storage.table("orders", Order.class);
        table.create();

        try (QueueConsumer relay = storage.outbox().relay()) {
            table.transaction("c1")
                    .insert(new Order("c1", "17"))
                    .send(orders, "body", NAMED)
                    .commit();
            while (plain.approximateCount() == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(relay.queue()).isNotEmpty();
        }

        assertThat(orders.receive())
                .hasValueSatisfying(message -> assertThat(message.eventId()).isEqualTo("order-17"));
    }

    @Test
    @DisplayName("a consumer handles one of two messages of the event, and removes both and their bodies")
    void copies() {
        AtomicInteger handled = new AtomicInteger();
        orders.send("a".repeat(90_000), NAMED);
        orders.send("a".repeat(90_000), NAMED);
        assertThat(storage.container("bodies").stream()).hasSize(2);

        try (QueueConsumer consumer =
                orders.consume(message -> handled.incrementAndGet()).start()) {
            while (plain.approximateCount() > 0
                    || storage.container("bodies").stream().count() > 0) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(consumer.stats().completed()).isOne();
        }

        assertThat(handled).hasValue(1);
    }

    @Test
    void theNameOfABodyInABlobBeginsWithTheId() {
        orders.send("a".repeat(90_000), NAMED);

        assertThat(storage.container("bodies").stream()).singleElement().satisfies(blob -> assertThat(blob.name())
                .startsWith("orders/order-17."));
        assertThat(orders.receive())
                .hasValueSatisfying(message -> assertThat(message.body()).hasSize(90_000));
    }

    @Test
    void aMessageWithoutAnEnvelopeGoesWithoutIt() {
        SendResult sent = plain.send("body", NAMED);

        assertThat(plain.receive()).hasValueSatisfying(message -> {
            assertThat(message.body()).isEqualTo("body");
            assertThat(message.eventId()).isEqualTo(sent.id());
        });
    }

    @Test
    @DisplayName("many messages have no id in common")
    void sendAll() {
        assertThat(orders.sendAll(List.of("a", "b"), NAMED)).hasSize(2).allSatisfy(item -> assertThat(item.error())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("order-17"));
        assertThat(plain.approximateCount()).isZero();
    }
}
