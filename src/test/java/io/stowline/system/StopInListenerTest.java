package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.StowlineListener;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.util.context.ContextView;

@Timeout(60)
@DisplayName("QUEUE-5: a listener does not wait for a stop that may wait for it")
class StopInListenerTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final MemoryStorage memory = MemoryStorage.create();
    private final CompletableFuture<Stowline> client = new CompletableFuture<>();
    private final CompletableFuture<QueueConsumer> consumer = new CompletableFuture<>();
    private final CompletableFuture<String> met = new CompletableFuture<>();

    private void meet(Runnable call) {
        if (!met.isDone()) {
            try {
                call.run();
                met.complete("returned");
            } catch (RuntimeException e) {
                met.complete(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }

    private void stop() {
        consumer.join().stop(LONG);
    }

    private void close() {
        client.join().close();
    }

    /** Runs a consumer with the listener until its call has ended, and handles a message after it. */
    private String inListener(StowlineListener listener) {
        try (Stowline storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .listener(listener)
                .build()) {
            client.complete(storage);
            MessageQueue<String> queue = storage.queue("reports");
            queue.create();
            CompletableFuture<String> second = new CompletableFuture<>();
            QueueConsumer running = queue.consume(m -> {
                        if (m.body().equals("second")) {
                            second.complete(m.body());
                        }
                    })
                    .start();
            consumer.complete(running);
            queue.send("first");
            String outcome = met.join();
            queue.send("second");
            second.join();
            running.stop(LONG);
            assertThat(queue.approximateCount()).isZero();
            return outcome;
        }
    }

    private static StowlineListener onEvent(Runnable call) {
        return new StowlineListener() {
            @Override
            public void onConsumerEvent(ConsumerEvent event) {
                call.run();
            }
        };
    }

    /** Listens to the first deletion, and what a consumer does for it. */
    private static StowlineListener onDeletion(BiFunction<OperationInfo, ContextView, OperationListener> listener) {
        return new StowlineListener() {
            @Override
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                return operation.name().contains("delete")
                        ? listener.apply(operation, context)
                        : OperationListener.NONE;
            }
        };
    }

    private static StowlineListener atTheEnd(Consumer<OperationEnd> call) {
        return onDeletion((operation, context) -> new OperationListener() {
            @Override
            public void onOperationEnd(OperationEnd end) {
                call.accept(end);
            }
        });
    }

    @Test
    @DisplayName("a stop in onConsumerEvent is refused")
    void stopInConsumerEvent() {
        assertThat(inListener(onEvent(() -> meet(this::stop))))
                .startsWith("IllegalStateException: a listener cannot wait for the stop of the consumer of reports");
    }

    @Test
    @DisplayName("a close of the client in onConsumerEvent is refused")
    void closeInConsumerEvent() {
        assertThat(inListener(onEvent(() -> meet(this::close))))
                .startsWith("IllegalStateException: a listener cannot wait for the end of its client");
    }

    @Test
    @DisplayName("a stop in onOperationStart is refused")
    void stopInOperationStart() {
        assertThat(inListener(onDeletion((operation, context) -> {
                    meet(this::stop);
                    return OperationListener.NONE;
                })))
                .startsWith("IllegalStateException: a listener cannot wait for the stop of the consumer of reports");
    }

    @Test
    @DisplayName("a close of the client in onOperationEnd is refused")
    void closeInOperationEnd() {
        assertThat(inListener(atTheEnd(end -> meet(this::close))))
                .startsWith("IllegalStateException: a listener cannot wait for the end of its client");
    }

    @Test
    @DisplayName("a handler runs as such, although a listener runs it")
    void handlerInListener() {
        CompletableFuture<Boolean> may = new CompletableFuture<>();
        try (Stowline storage = Stowline.builder()
                        .connectionString(memory.connectionString())
                        .httpClient(memory.httpClient())
                        .listener(onEvent(() -> {}))
                        .build();
                QueueConsumer other = storage.queue("others").consume(m -> {}).start()) {
            MessageQueue<String> queue = storage.queue("reports");
            queue.create();
            queue.send("body");
            QueueConsumer running =
                    queue.consume(m -> may.complete(other.canAwaitStop())).start();
            assertThat(may.join()).isTrue();
            running.close();
        }
    }
}
