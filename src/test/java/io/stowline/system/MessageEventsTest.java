package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.StowlineListener;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.util.context.ContextView;

@Timeout(60)
@DisplayName("Q1 Q3: what a message carries from its sender to its handler and to listeners")
class MessageEventsTest {

    private static final Map<String, String> TRACE = Map.of(
            "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate", "vendor=a,other=b");

    private final MemoryStorage memory = MemoryStorage.create();
    private final BlockingQueue<ConsumerEvent> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<Map<String, String>> handled = new LinkedBlockingQueue<>();
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .listener(new Listener())
            .build();

    /** Gives sends a trace context, and hears what handlings have. */
    private final class Listener implements StowlineListener {

        @Override
        public void onConsumerEvent(ConsumerEvent event) {
            events.add(event);
        }

        @Override
        public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
            if (operation.name().equals("handle")) {
                handled.add(operation.headers());
            }
            return new OperationListener() {
                @Override
                public Map<String, String> headers() {
                    return TRACE;
                }
            };
        }
    }

    @AfterEach
    void close() {
        storage.close();
    }

    @Test
    @DisplayName("the trace context with its state, and the id of the envelope")
    void envelope() throws InterruptedException {
        MessageQueue<String> orders = storage.queue("orders").withEnvelope(e -> e);
        orders.create();
        orders.send("one");
        BlockingQueue<String> ids = new LinkedBlockingQueue<>();
        try (QueueConsumer consumer = orders.consume(m -> ids.add(m.eventId())).start()) {
            assertThat(events.take().eventId()).isEqualTo(ids.take());
            assertThat(handled.take()).isEqualTo(TRACE);
            assertThat(consumer.stats().completed()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("a plain message has neither")
    void plain() throws InterruptedException {
        MessageQueue<String> orders = storage.queue("orders");
        orders.create();
        orders.send("one");
        try (QueueConsumer consumer = orders.consume(m -> {}).start()) {
            assertThat(events.take().eventId()).isNull();
            assertThat(handled.take()).isEmpty();
            assertThat(consumer.stats().completed()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("the event of a poisoned message has the reason and the failure")
    void poison() throws InterruptedException {
        MessageQueue<Integer> orders = storage.queue("orders", Integer.class);
        orders.create();
        storage.queue("orders").send("no number");
        orders.send(-1);
        try (QueueConsumer consumer = orders.consume(m -> {
                    throw new IllegalArgumentException("negative");
                })
                .onFailure(failure -> QueueConsumer.FailureAction.POISON)
                .start()) {
            Map<String, Throwable> failures = new HashMap<>();
            for (int i = 0; i < 2; i++) {
                ConsumerEvent event = events.take();
                assertThat(event.result()).isEqualTo(ConsumerEvent.Result.POISONED);
                assertThat(event.error()).isNull();
                failures.put(event.reason(), event.failure());
            }

            assertThat(failures).containsOnlyKeys("cannot be decoded", "failed, and this failure is poison at once");
            assertThat(failures.get("cannot be decoded")).isNotNull();
            assertThat(failures.get("failed, and this failure is poison at once"))
                    .hasMessage("negative");
            assertThat(consumer.stats().poisoned()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("a send whose delay is zero wakes the consumers of its process as one without a delay does")
    void wakes() throws InterruptedException {
        MessageQueue<String> orders = storage.queue("orders");
        orders.create();
        CountDownLatch handling = new CountDownLatch(1);
        Duration never = Duration.ofMinutes(10);
        try (QueueConsumer consumer = orders.consume(m -> handling.countDown())
                .pollDelay(never, never)
                .start()) {
            while (memory.requests().stream()
                    .noneMatch(request -> request.startsWith("GET /") && request.contains("messages"))) {
                ShortPause.park();
            }
            orders.send("one", send -> send.delay(Duration.ZERO));
            handling.await();

            assertThat(consumer.stats().messagesInHand()).isLessThanOrEqualTo(1);
        }
    }
}
