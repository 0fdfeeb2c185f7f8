package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("QUEUE-5: a handler does not wait for a stop that waits for it")
class StopInHandlerTest {

    private final MemoryStorage memory = MemoryStorage.create();
    private Stowline storage;
    private MessageQueue<String> queue;

    @BeforeEach
    void connect() {
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build();
        queue = storage.queue("reports");
        queue.create();
        queue.send("body");
    }

    @AfterEach
    void close() {
        storage.close();
    }

    /** What the handler meets; it completes its message. */
    private String inHandler(Consumer<QueueConsumer> call) {
        CompletableFuture<QueueConsumer> self = new CompletableFuture<>();
        CompletableFuture<String> met = new CompletableFuture<>();
        try (QueueConsumer consumer = queue.consume(m -> {
                    try {
                        call.accept(self.join());
                        met.complete("returned");
                    } catch (RuntimeException e) {
                        met.complete(e.getClass().getSimpleName() + ": " + e.getMessage());
                    }
                })
                .start()) {
            self.complete(consumer);
            return met.join();
        }
    }

    @Test
    @DisplayName("close() of the consumer is refused")
    void closeOfTheConsumer() {
        assertThat(inHandler(QueueConsumer::close))
                .startsWith("IllegalStateException: a handler of the consumer of reports cannot wait for its stop");
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @DisplayName("stopAsync(..) does not wait")
    void stopAsync() {
        assertThat(inHandler(
                        consumer -> consumer.stopAsync(Duration.ofSeconds(20)).subscribe()))
                .isEqualTo("returned");
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @DisplayName("close() of the client is refused, and another thread can close it")
    void closeOfTheClient() {
        assertThat(inHandler(consumer -> storage.close()))
                .startsWith(
                        "IllegalStateException: a handler of a queue consumer cannot wait for the end of its client");
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @SuppressWarnings("try") // a handler closes it
    @DisplayName("a handler may stop another consumer")
    void otherConsumer() {
        try (QueueConsumer other = storage.queue("others").consume(m -> {}).start()) {
            assertThat(inHandler(consumer -> other.close())).isEqualTo("returned");
        }
    }
}
