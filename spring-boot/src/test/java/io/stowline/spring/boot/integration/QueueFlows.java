package io.stowline.spring.boot.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.spring.boot.MovedClock;
import io.stowline.spring.boot.ShortPause;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.context.IntegrationFlowContext;
import org.springframework.messaging.Message;

/** Flows of Spring Integration over the queues of two accounts in memory, in one application context. */
final class QueueFlows implements AutoCloseable {

    private static final long DEADLINE_SECONDS = 60;

    /** The time of the services, which a test moves to end leases. */
    final MovedClock clock = MovedClock.running();

    final MemoryStorage storage = MemoryStorage.create(clock);
    final MemoryStorage furtherStorage = MemoryStorage.create(clock);
    final BlockingQueue<Message<?>> seen = new LinkedBlockingQueue<>();
    final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    private final Stowline client = client(storage);
    private final Stowline furtherClient = client(furtherStorage);

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Application {}

    QueueFlows() {
        this(Application.class);
    }

    QueueFlows(Class<?>... configurations) {
        context.register(configurations);
        context.refresh();
    }

    private static Stowline client(MemoryStorage storage) {
        return AccountsInMemory.client(storage);
    }

    Stowline client() {
        return client;
    }

    /** Returns a queue of text, which exists. */
    MessageQueue<String> queue(String name) {
        return queue(client, name);
    }

    MessageQueue<String> furtherQueue(String name) {
        return queue(furtherClient, name);
    }

    <T> MessageQueue<T> queue(String name, Class<T> type) {
        queue(name);
        return client.queue(name, type);
    }

    private static MessageQueue<String> queue(Stowline client, String name) {
        MessageQueue<String> queue = client.queue(name);
        queue.createIfMissing();
        return queue;
    }

    /** Polls often, and has failed messages received again at once. */
    static QueueConsumer.Builder quick(QueueConsumer.Builder consumer) {
        return consumer.pollDelay(Duration.ofMillis(10), Duration.ofMillis(50)).retryDelay(Backoff.none());
    }

    /** Starts a flow. */
    void start(String id, IntegrationFlow flow) {
        context.getBean(IntegrationFlowContext.class).registration(flow).id(id).register();
    }

    /** Starts a flow that puts what it receives into {@link #seen}. */
    <T> QueueInboundChannelAdapter<T> startSeen(QueueInboundSpec<T> inbound) {
        start(
                "seen",
                IntegrationFlow.from(inbound.consumer(QueueFlows::quick))
                        .handle(seen::add)
                        .get());
        return adapter(inbound);
    }

    static <T> QueueInboundChannelAdapter<T> adapter(QueueInboundSpec<T> inbound) {
        return inbound.getObject();
    }

    Message<?> next() throws InterruptedException {
        Message<?> next = seen.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
        assertThat(next).as("a message").isNotNull();
        return next;
    }

    /** Returns the payloads of the next messages. */
    Object payload() throws InterruptedException {
        return next().getPayload();
    }

    static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("a minute is over").isLessThan(deadline);
            ShortPause.park();
        }
    }

    static void untilEmpty(MessageQueue<?> queue) {
        until(() -> queue.approximateCount() == 0);
    }

    /** Returns how many requests of the main account have this method and this part of a path. */
    long requests(String method, String path) {
        return storage.requests().stream()
                .filter(request -> request.startsWith(method + " ") && request.contains(path))
                .count();
    }

    static <T> @Nullable T header(Message<?> message, String name, Class<T> type) {
        return message.getHeaders().get(name, type);
    }

    @Override
    public void close() {
        context.close();
        client.close();
        furtherClient.close();
    }
}
