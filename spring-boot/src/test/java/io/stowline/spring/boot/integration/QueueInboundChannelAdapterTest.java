package io.stowline.spring.boot.integration;

import static io.stowline.spring.boot.integration.QueueFlows.adapter;
import static io.stowline.spring.boot.integration.QueueFlows.header;
import static io.stowline.spring.boot.integration.QueueFlows.until;
import static io.stowline.spring.boot.integration.QueueFlows.untilEmpty;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.QueueConsumer.FailureAction;
import io.stowline.spring.boot.listener.QueueMessageHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.IntegrationMessageHeaderAccessor;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.config.EnableIntegrationManagement;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageDeliveryException;
import org.springframework.messaging.MessagingException;
import org.springframework.messaging.support.MessageBuilder;

/** The inbound adapter whose messages are completed by the return of their flow: after each kind of failure it still receives. */
@Timeout(120)
class QueueInboundChannelAdapterTest {

    private QueueFlows flows = new QueueFlows();

    @AfterEach
    void close() {
        flows.close();
    }

    /** The body of orders. */
    record Order(String item, int pieces) {}

    @Test
    void completesAMessageOfEachAccountWhenTheFlowReturns() throws Exception {
        MessageQueue<Order> orders = flows.queue("orders", Order.class);
        MessageQueue<String> further = flows.furtherQueue("orders");
        Instant before = flows.clock.instant().minusSeconds(2);
        flows.startSeen(StowlineQueues.inbound(orders));
        orders.send(new Order("shirt", 2));

        Message<?> message = flows.next();
        assertThat(message.getPayload()).isEqualTo(new Order("shirt", 2));
        assertThat(header(message, QueueMessageHeaders.QUEUE, String.class)).isEqualTo("orders");
        assertThat(header(message, QueueMessageHeaders.MESSAGE_ID, String.class))
                .isNotEmpty();
        assertThat(header(message, QueueMessageHeaders.DEQUEUE_COUNT, Long.class))
                .isEqualTo(1);
        assertThat(header(message, QueueMessageHeaders.INSERTED_AT, Instant.class))
                .isAfter(before);
        assertThat(header(message, QueueMessageHeaders.EXPIRES_AT, Instant.class))
                .isAfter(before);
        assertThat(message.getHeaders()).doesNotContainKey(IntegrationMessageHeaderAccessor.ACKNOWLEDGMENT_CALLBACK);
        untilEmpty(orders);

        flows.start(
                "further",
                IntegrationFlow.from(StowlineQueues.inbound(further).consumer(QueueFlows::quick))
                        .handle(flows.seen::add)
                        .get());
        further.send("of another account");
        assertThat(flows.payload()).isEqualTo("of another account");
        untilEmpty(further);
        assertThat(flows.requests("DELETE", "/orders/messages")).isEqualTo(1);
    }

    @Test
    void receivesAgainWhatTheFlowFailsForAndGoesOnBehindPoison() throws Exception {
        MessageQueue<String> orders = flows.queue("orders");
        AtomicInteger calls = new AtomicInteger();
        AtomicReference<Throwable> judged = new AtomicReference<>();
        flows.start(
                "failing",
                IntegrationFlow.from(StowlineQueues.inbound(orders)
                                .consumer(
                                        c -> QueueFlows.quick(c).poisonAfter(3).onFailure(failure -> {
                                            judged.set(failure.error());
                                            return failure.error() instanceof UnsupportedOperationException
                                                    ? FailureAction.POISON
                                                    : FailureAction.RETRY;
                                        })))
                        .<String>handle((payload, headers) -> {
                            calls.incrementAndGet();
                            switch (payload) {
                                case "wrong" -> throw new IllegalArgumentException("not good");
                                case "never" -> throw new UnsupportedOperationException("not at all");
                                case "once" -> {
                                    if (headers.get(QueueMessageHeaders.DEQUEUE_COUNT, Long.class) == 1) {
                                        throw new IllegalStateException("once");
                                    }
                                }
                                default -> {}
                            }
                            return payload;
                        })
                        .handle(flows.seen::add)
                        .get());

        orders.send("once");
        assertThat(header(flows.next(), QueueMessageHeaders.DEQUEUE_COUNT, Long.class))
                .isEqualTo(2);
        orders.send("wrong");
        until(() -> orders.poison().count() == 1);
        assertThat(calls).hasValue(5);
        assertThat(judged.get()).isExactlyInstanceOf(IllegalArgumentException.class);
        orders.send("never");
        until(() -> orders.poison().count() == 2);
        assertThat(calls).hasValue(6);
        assertThat(orders.poison().peek(2))
                .extracting(message -> message.error().orElse(""))
                .containsExactly(
                        "java.lang.IllegalArgumentException: not good",
                        "java.lang.UnsupportedOperationException: not at all");
        orders.send("good");
        assertThat(flows.payload()).isEqualTo("good");
        untilEmpty(orders);
    }

    @Test
    void anErrorFlowDecidesWhetherAMessageHasFailed() throws Exception {
        MessageQueue<String> orders = flows.queue("orders");
        AtomicInteger errors = new AtomicInteger();
        DirectChannel errorChannel = new DirectChannel();
        errorChannel.subscribe(error -> {
            MessagingException thrown = (MessagingException) error.getPayload();
            errors.incrementAndGet();
            if ("bad".equals(thrown.getFailedMessage().getPayload())) {
                throw new IllegalArgumentException("the error flow failed");
            }
        });
        flows.start(
                "failing",
                IntegrationFlow.from(StowlineQueues.inbound(orders)
                                .consumer(c -> QueueFlows.quick(c).poisonAfter(2))
                                .errorChannel(errorChannel))
                        .<String>handle((payload, headers) -> {
                            throw new IllegalStateException("the flow failed");
                        })
                        .get());

        orders.send("handled");
        untilEmpty(orders);
        assertThat(errors).hasValue(1);
        assertThat(orders.poison().count()).isZero();

        orders.send("bad");
        until(() -> orders.poison().count() == 1);
        assertThat(errors).hasValue(3);
        assertThat(orders.poison().peek(1).get(0).error())
                .contains("java.lang.IllegalArgumentException: the error flow failed");

        orders.send("handled again");
        untilEmpty(orders);
        assertThat(errors).hasValue(4);
    }

    @Test
    void aFullChannelFailsAMessageWhichIsReceivedAgain() throws Exception {
        MessageQueue<String> orders = flows.queue("orders");
        QueueChannel channel = new QueueChannel(1);
        AtomicReference<Throwable> judged = new AtomicReference<>();
        flows.start(
                "full",
                IntegrationFlow.from(StowlineQueues.inbound(orders)
                                .consumer(c -> QueueFlows.quick(c)
                                        .poisonAfter(1_000)
                                        .onFailure(failure -> {
                                            judged.set(failure.error());
                                            return FailureAction.RETRY;
                                        }))
                                .outputChannel(channel)
                                .sendTimeout(20))
                        .get());
        IntStream.range(0, 5).forEach(number -> orders.send("m" + number));

        until(() -> flows.requests("PUT", "visibilitytimeout=0") > 3);
        assertThat(judged.get())
                .hasMessageContaining("within timeout: 20")
                .hasCauseInstanceOf(MessageDeliveryException.class);
        assertThat(judged.get().toString()).as("what the log has").doesNotContain("payload");
        assertThat(IntStream.range(0, 5)
                        .mapToObj(number -> channel.receive(60_000))
                        .map(Message::getPayload)
                        .toList())
                .asInstanceOf(InstanceOfAssertFactories.list(Object.class))
                .containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "m4");
        untilEmpty(orders);
    }

    @Test
    void aBodyThatCannotBeReadIsPoisonAndTheNextIsReceived() throws Exception {
        MessageQueue<Order> orders = flows.queue("orders", Order.class);
        flows.startSeen(StowlineQueues.inbound(orders));
        flows.queue("orders").send("no JSON");
        PoisonQueue<Order> poison = orders.poison();
        until(() -> poison.count() == 1);
        orders.send(new Order("shirt", 1));

        assertThat(flows.payload()).isEqualTo(new Order("shirt", 1));
        untilEmpty(orders);
    }

    @Test
    void lostResponsesRunAFlowOnceAndLoseNothing() throws Exception {
        MessageQueue<String> orders = flows.queue("orders");
        flows.startSeen(StowlineQueues.inbound(orders));
        flows.storage.loseNextResponse("DELETE", "/orders/messages/");
        orders.send("deleted without a response");
        assertThat(flows.payload()).isEqualTo("deleted without a response");
        untilEmpty(orders);

        flows.storage.loseNextResponse("GET", "/orders/messages");
        orders.send("received without a response");
        until(() -> flows.requests("GET", "/orders/messages") > 10);
        // The message is hidden until the lease of the lost receive ends.
        flows.clock.pass(Duration.ofMinutes(2));
        assertThat(flows.payload()).isEqualTo("received without a response");
        untilEmpty(orders);
        assertThat(flows.seen).isEmpty();
    }

    @Test
    void startsAndStopsTwentyTimesWithoutLosingAMessage() throws Exception {
        MessageQueue<String> orders = flows.queue("orders");
        QueueInboundChannelAdapter<String> adapter = flows.startSeen(StowlineQueues.inbound(orders));
        for (int round = 0; round < 20; round++) {
            orders.sendAll(List.of("a" + round, "b" + round, "c" + round));
            if (round % 2 == 0) {
                assertThat(flows.payload()).as("round " + round).isNotNull();
            }
            adapter.stop();
            assertThat(adapter.isRunning()).isFalse();
            int seen = flows.seen.size();
            assertThat(orders.approximateCount())
                    .as("all others are in the queue")
                    .isLessThanOrEqualTo(3L * (round + 1));
            assertThat(flows.seen).as("nothing comes after a stop").hasSize(seen);
            adapter.start();
        }

        untilEmpty(orders);
        assertThat(flows.seen).extracting(Message::getPayload).doesNotHaveDuplicates();
        assertThat(flows.seen).hasSize(50);
    }

    @Test
    void aStopWaitsForTheFlowAndItsMessageIsCompleted() throws Exception {
        MessageQueue<String> orders = flows.queue("orders");
        CountDownLatch proceed = new CountDownLatch(1);
        var inbound =
                StowlineQueues.inbound(orders).consumer(c -> QueueFlows.quick(c).concurrency(1));
        flows.start(
                "slow",
                IntegrationFlow.from(inbound)
                        .<String>handle((payload, headers) -> {
                            flows.seen.add(MessageBuilder.withPayload(payload).build());
                            await(proceed);
                            return null;
                        })
                        .get());
        orders.sendAll(List.of("first", "second", "third"));
        Object first = flows.payload();
        Thread stopping = new Thread(adapter(inbound)::stop);
        stopping.start();
        // The others are given back at once, while the flow still runs.
        until(() -> orders.peek(32).size() == 2);
        assertThat(stopping.isAlive()).isTrue();
        proceed.countDown();
        stopping.join();

        assertThat(orders.approximateCount()).isEqualTo(2);
        assertThat(orders.peek(32)).noneMatch(message -> message.body().equals(first));
        assertThat(flows.seen).isEmpty();
    }

    @Test
    void aStopWhoseWaitIsInterruptedGoesOnAndTheAdapterCanStartAgain() throws Exception {
        MessageQueue<String> orders = flows.queue("orders");
        QueueInboundChannelAdapter<String> adapter = flows.startSeen(StowlineQueues.inbound(orders));
        Thread.currentThread().interrupt();
        adapter.stop();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(adapter.isRunning()).isFalse();
        adapter.stop();

        adapter.start();
        orders.send("again");
        assertThat(flows.payload()).isEqualTo("again");
        untilEmpty(orders);
    }

    @Test
    void aFlowThatStopsItsAdapterDoesNotWaitForIt() throws Exception {
        MessageQueue<String> orders = flows.queue("orders");
        var inbound = StowlineQueues.inbound(orders).consumer(QueueFlows::quick);
        flows.start(
                "stopping",
                IntegrationFlow.from(inbound)
                        .handle(message -> {
                            adapter(inbound).stop();
                            flows.seen.add(message);
                        })
                        .get());
        for (int round = 0; round < 3; round++) {
            orders.send("stop " + round);
            assertThat(flows.payload()).isEqualTo("stop " + round);
            until(() -> !adapter(inbound).isRunning());
            untilEmpty(orders);
            adapter(inbound).start();
        }
    }

    @Test
    void aContextThatTheFlowClosesCompletesItsMessage() throws Exception {
        MessageQueue<String> orders = flows.queue("orders");
        flows.start(
                "closing",
                IntegrationFlow.from(StowlineQueues.inbound(orders).consumer(QueueFlows::quick))
                        .handle(message -> {
                            flows.context.close();
                            flows.seen.add(message);
                        })
                        .get());
        long before = System.nanoTime();
        orders.send("close");

        assertThat(flows.payload()).isEqualTo("close");
        untilEmpty(orders);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void aWrongSettingFailsTheStartAndACorrectedOneStarts() throws Exception {
        MessageQueue<String> orders = flows.queue("orders");
        QueueInboundChannelAdapter<String> adapter = new QueueInboundChannelAdapter<>(orders);
        QueueChannel channel = new QueueChannel();
        adapter.setOutputChannel(channel);
        adapter.setBeanFactory(flows.context.getBeanFactory());
        adapter.setConsumer(consumer -> consumer.concurrency(0));
        adapter.afterPropertiesSet();
        assertThatIllegalArgumentException().isThrownBy(adapter::start).withMessageContaining("concurrency");
        assertThat(adapter.isRunning()).isFalse();

        adapter.setConsumer(QueueFlows::quick);
        adapter.start();
        orders.send("started");
        assertThat(channel.receive(60_000).getPayload()).isEqualTo("started");
        adapter.destroy();
        assertThat(adapter.isRunning()).isFalse();
    }

    /** An application that observes its integration components. */
    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    @EnableIntegrationManagement(observationPatterns = "*")
    static class Observed {

        @Bean
        ObservationRegistry observations() {
            return TestObservationRegistry.create();
        }
    }

    @Test
    void theFrameworkObservesItAndItsChannels() throws Exception {
        flows.close();
        flows = new QueueFlows(Observed.class);
        MessageQueue<String> orders = flows.queue("orders");
        flows.startSeen(StowlineQueues.inbound(orders).id("ordersIn"));
        orders.send("observed");
        flows.next();
        untilEmpty(orders);

        TestObservationRegistryAssert.assertThat(flows.context.getBean(TestObservationRegistry.class))
                .hasObservationWithNameEqualTo("spring.integration.handler")
                .that()
                .hasBeenStarted();
        TestObservationRegistryAssert.assertThat(flows.context.getBean(TestObservationRegistry.class))
                .hasAnObservationWithAKeyValue("spring.integration.name", "ordersIn");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
