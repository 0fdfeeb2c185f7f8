package io.stowline.spring.boot.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PoisonQueue;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.Header;

/** A listener of a queue with envelopes: checkpoints, counts and large bodies reach its method, also in the next process. */
@AzuriteTest
class EnvelopedListenerTest {

    private static final String QUEUE = "enveloped";
    private static final int LARGE = 100_000;

    record Order(String id, String text) {}

    /** A view is a bean of the application, and the listener names that bean. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        static MessageQueue<Order> envelopedOrders(Stowline client) {
            return client.queue(QUEUE, Order.class).withEnvelope(e -> e.claimCheck(client.container(QUEUE)));
        }

        @Bean
        static Shipping shipping(StowlineQueueListenerRegistry registry) {
            return new Shipping(registry, new LinkedBlockingQueue<>());
        }
    }

    /** Handles one order, and fails unless it is large. */
    record Shipping(StowlineQueueListenerRegistry registry, BlockingQueue<String> seen) {

        @StowlineQueueListener(queueBean = "envelopedOrders")
        void ship(Order order, MessageLease<Order> lease, @Header(QueueMessageHeaders.DEQUEUE_COUNT) long delivery) {
            seen.add(order.id + " " + delivery + " " + lease.checkpoint().orElse("new") + " " + order.text.length());
            if (order.text.length() < LARGE) {
                registry.listener(QUEUE).pause();
                lease.checkpoint("page " + delivery);
                throw new IllegalStateException("delivery " + delivery);
            }
        }
    }

    @Test
    void checkpointsAndFailuresCountInTheNextProcess(TestStorage storage) throws InterruptedException {
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            MessageQueue<Order> queue = emptyQueue(client);
            queue.send(new Order("o1", "short"));

            assertThat(handledByAProcess(storage)).isEqualTo("o1 1 new 5");
            assertThat(queue.poison().count()).isZero();
            assertThat(handledByAProcess(storage)).isEqualTo("o1 2 page 1 5");

            List<PoisonQueue.Message<Order>> poison = queue.poison().peek(2);
            assertThat(poison).singleElement().satisfies(message -> {
                assertThat(message.body()).isEqualTo(new Order("o1", "short"));
                assertThat(message.reason()).hasValue("failed 2 times");
            });
        }
    }

    @Test
    void aLargeBodyComesFromItsBlobWhichIsRemoved(TestStorage storage) throws InterruptedException {
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            MessageQueue<Order> queue = emptyQueue(client);
            queue.send(new Order("o2", "x".repeat(LARGE)));
            BlobContainer bodies = client.container(QUEUE);
            assertThat(bodies.stream().toList()).hasSize(1);

            assertThat(handledByAProcess(storage)).isEqualTo("o2 1 new " + LARGE);

            assertThat(queue.approximateCount()).isZero();
            assertThat(bodies.stream().toList()).isEmpty();
        }
    }

    private static MessageQueue<Order> emptyQueue(Stowline client) {
        MessageQueue<Order> queue = Application.envelopedOrders(client);
        queue.createIfMissing();
        queue.clear();
        client.queue(queue.poison().name()).dropIfExists();
        client.container(QUEUE).createIfMissing();
        return queue;
    }

    /** Runs an application until its listener has handled a message, whose end it awaits. */
    private String handledByAProcess(TestStorage storage) throws InterruptedException {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .properties(
                        "stowline.connection-string=" + storage.connectionString(),
                        "stowline.consumers.poison-after=2",
                        "stowline.consumers.retry-backoff=none",
                        "stowline.consumers.poll-delay.max=200ms")
                .run()) {
            return String.valueOf(context.getBean(Shipping.class).seen.poll(60, TimeUnit.SECONDS));
        }
    }
}
