package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.Stowline;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@Timeout(60)
@DisplayName("QUEUE-5: a handler does not wait for a stop that waits for it")
class StopInHandlerTest {

    private static final Duration LONG = Duration.ofHours(1);

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

    /** The error that the handler gets; it completes its message. */
    private String inHandler(Consumer<QueueConsumer> call) {
        CompletableFuture<QueueConsumer> self = new CompletableFuture<>();
        CompletableFuture<String> met = new CompletableFuture<>();
        try (QueueConsumer consumer = queue.consume(m -> {
                    met.complete(outcome(() -> call.accept(self.join())));
                })
                .start()) {
            self.complete(consumer);
            return met.join();
        }
    }

    /** The error that the code gets in a reactive handler; it completes its message. */
    private String inReactiveHandler(
            Consumer<QueueConsumer> call, BiFunction<MessageLease<String>, Runnable, Publisher<?>> handler) {
        CompletableFuture<QueueConsumer> self = new CompletableFuture<>();
        CompletableFuture<String> met = new CompletableFuture<>();
        QueueConsumer consumer = queue.reactive()
                .consume(m -> handler.apply(m, () -> met.complete(outcome(() -> call.accept(self.join())))))
                .start();
        self.complete(consumer);
        String outcome = met.join();
        consumer.close();
        return outcome;
    }

    private static String outcome(Runnable call) {
        try {
            call.run();
            return "returned";
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    @Test
    @DisplayName("a reactive handler is refused a stop where it is subscribed to")
    void reactiveHandler() {
        assertThat(inReactiveHandler(consumer -> consumer.stop(LONG), (m, call) -> Mono.fromRunnable(call)))
                .startsWith("IllegalStateException: a handler of the consumer of reports cannot wait for its stop");
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @DisplayName("a reactive handler is refused a close of its client where it is subscribed to")
    void reactiveHandlerClosesTheClient() {
        assertThat(inReactiveHandler(consumer -> storage.close(), (m, call) -> Mono.fromRunnable(call)))
                .startsWith(
                        "IllegalStateException: a handler of a queue consumer cannot wait for the end of its client");
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @DisplayName("a reactive handler is refused a stop where the client delivers a result to it")
    void reactiveHandlerWithAResult() {
        assertThat(inReactiveHandler(QueueConsumer::close, (m, call) -> Mono.delay(Duration.ofMillis(1))
                        .then(storage.reactive().queue("reports").exists())
                        .doOnNext(exists -> call.run())))
                .startsWith("IllegalStateException: a handler of the consumer of reports cannot wait for its stop");
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @DisplayName("a handler that returns the stop of its consumer, or the closing of its client, fails at once")
    void returnedStop() {
        CompletableFuture<QueueConsumer> self = new CompletableFuture<>();
        CompletableFuture<Throwable> stop = new CompletableFuture<>();
        CompletableFuture<Throwable> closing = new CompletableFuture<>();
        try (QueueConsumer consumer = queue.reactive()
                .consume(m -> self.join()
                        .stopAsync(LONG)
                        .then()
                        .doOnError(stop::complete)
                        .onErrorResume(e -> storage.reactive().close())
                        .doOnError(closing::complete)
                        .onErrorComplete())
                .start()) {
            self.complete(consumer);
            assertThat(stop.join()).isInstanceOf(IllegalStateException.class).hasMessageContaining("by itself");
            assertThat(closing.join()).isInstanceOf(IllegalStateException.class).hasMessageContaining("by itself");
        }
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @DisplayName(
            "a handler that blocks on the stop of its consumer, or on the closing of its client, is refused at once")
    void blockedStop() {
        assertThat(inHandler(consumer -> consumer.stopAsync(LONG).block()))
                .startsWith("IllegalStateException: a handler of the consumer of reports cannot wait for its stop")
                .endsWith("without block(), toIterable() or toFuture()");
        queue.send("second");
        assertThat(inHandler(consumer -> storage.reactive().close().block()))
                .startsWith(
                        "IllegalStateException: a handler of a queue consumer cannot wait for the end of its client")
                .endsWith("without block(), toIterable() or toFuture()");
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @DisplayName("a handler can look whether it may wait for a stop")
    void canAwaitStop() {
        CompletableFuture<Boolean> own = new CompletableFuture<>();
        CompletableFuture<Boolean> others = new CompletableFuture<>();
        try (QueueConsumer other = storage.queue("others").consume(m -> {}).start()) {
            String outcome = inHandler(consumer -> {
                own.complete(consumer.canAwaitStop());
                others.complete(other.canAwaitStop());
            });
            assertThat(outcome).isEqualTo("returned");
            assertThat(own.join()).isFalse();
            assertThat(others.join()).isTrue();
            assertThat(other.canAwaitStop()).isTrue();
        }
    }

    @Test
    @DisplayName("a thread that must not block cannot wait for a stop")
    void nonBlockingThread() {
        try (QueueConsumer consumer = queue.consume(m -> {}).start()) {
            CompletableFuture<Boolean> may = new CompletableFuture<>();
            CompletableFuture<Throwable> refusal = new CompletableFuture<>();
            Schedulers.parallel().schedule(() -> {
                may.complete(consumer.canAwaitStop());
                refusal.complete(catchThrowable(consumer::close));
            });
            assertThat(may.join()).isFalse();
            assertThat(refusal.join()).isInstanceOf(IllegalStateException.class);
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
