package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer whose queue has events of other programs, envelopes that it does not expect, and copies from its poison queue. */
@Timeout(60)
@DisplayName("WORLD-3: what cannot be opened is poison, and no handler sees a body of its members")
class DamagedEventTest {

    record Order(String id, int n) {}

    private static final String EVENT =
            "{\"specversion\":\"1.0\",\"id\":\"e-1\",\"source\":\"/shop\",\"type\":\"t\",\"data\":";

    private final MemoryStorage memory = MemoryStorage.create();
    private final Queue<Order> handled = new ConcurrentLinkedQueue<>();
    private Stowline storage;
    private MessageQueue<String> raw;
    private MessageQueue<Order> plain;
    private MessageQueue<Order> enveloped;

    @BeforeEach
    void connect() {
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build();
        raw = storage.queue("orders");
        plain = storage.queue("orders", Order.class);
        enveloped = plain.withEnvelope(e -> e);
        raw.create();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private void consume(MessageQueue<Order> queue, int messages) {
        try (QueueConsumer consumer =
                queue.consume(message -> handled.add(message.body())).start()) {
            while (consumer.stats().completed() + consumer.stats().poisoned() < messages) {
                ShortPause.park();
            }
        }
    }

    private List<String> poison() {
        return plain.poison().peek(32).stream().map(PoisonQueue.Message::raw).toList();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("an event is handled by its data or not at all")
    void events() {
        String good =
                EVENT.replace(",\"data\"", ",\"time\":\"2018-07-23 09:51:00\",\"data\"") + "{\"id\":\"o-1\",\"n\":7}}";
        String bad = EVENT + "\"text\"}";
        raw.send("\uFEFF" + good);
        raw.send(bad);
        consume(enveloped, 2);

        assertThat(handled).containsExactly(new Order("o-1", 7));
        assertThat(poison()).containsExactly(base64(bad));
    }

    @Test
    @DisplayName("an envelope in a queue without them waits in the poison queue for one that opens it")
    void unexpectedEnvelope() {
        enveloped.send(new Order("o-1", 7));
        consume(plain, 1);
        assertThat(handled).isEmpty();

        assertThat(enveloped.poison().redrive(message -> message.body().n() == 7))
                .isEqualTo(1);
        consume(enveloped, 1);
        assertThat(handled).containsExactly(new Order("o-1", 7));
    }

    @Test
    @DisplayName("a copy that a tool moves from the poison queue back to the queue is not handled as a body")
    void movedCopy() {
        raw.send(base64(EVENT + "5}"));
        consume(enveloped, 1);
        MessageQueue<String> copies = storage.queue("orders-poison");
        String copy = copies.receive().orElseThrow().body();
        raw.send(copy);
        consume(plain, 1);

        assertThat(copy).contains("\"stowlinePoison\"");
        assertThat(handled).isEmpty();
    }
}
