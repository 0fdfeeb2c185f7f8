package io.stowline.spring.boot.integration;

import static io.stowline.spring.boot.integration.QueueFlows.header;
import static io.stowline.spring.boot.integration.QueueFlows.until;
import static io.stowline.spring.boot.integration.QueueFlows.untilEmpty;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.stowline.queue.MessageLease.LeaseLostException;
import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.ShortPause;
import io.stowline.spring.boot.listener.QueueMessageHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.integration.IntegrationMessageHeaderAccessor;
import org.springframework.integration.acks.AckUtils;
import org.springframework.integration.acks.AcknowledgmentCallback;
import org.springframework.integration.acks.AcknowledgmentCallback.Status;
import org.springframework.integration.acks.SimpleAcknowledgment;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.messaging.Message;

/** The inbound adapter whose flow acknowledges each message, on other threads than the one that received it. */
@Timeout(120)
class ManualAcknowledgmentTest {

    private final QueueFlows flows = new QueueFlows();
    private MessageQueue<String> orders;
    private QueueInboundChannelAdapter<String> adapter;

    @BeforeEach
    void start() {
        orders = flows.queue("orders");
        adapter = flows.startSeen(StowlineQueues.inbound(orders).manualAcknowledgment());
    }

    @AfterEach
    void close() {
        flows.close();
    }

    private static AcknowledgmentCallback callback(Message<?> message) {
        AcknowledgmentCallback callback =
                header(message, IntegrationMessageHeaderAccessor.ACKNOWLEDGMENT_CALLBACK, AcknowledgmentCallback.class);
        assertThat(callback).isNotNull();
        return callback;
    }

    @Test
    void deletesAMessageWhenItIsAcceptedAndNotBefore() throws Exception {
        orders.send("accept me");
        Message<?> message = flows.next();
        AcknowledgmentCallback callback = callback(message);
        AckUtils.autoAck(callback);
        callback.noAutoAck();

        assertThat(callback.isAcknowledged()).isFalse();
        assertThat(callback.toString()).doesNotContain("accept me");
        until(() -> flows.requests("GET", "/orders/messages") > 5);
        assertThat(flows.requests("DELETE", "/orders/messages")).isZero();
        assertThat(orders.approximateCount()).isEqualTo(1);

        ((SimpleAcknowledgment) callback).acknowledge();
        assertThat(callback.isAcknowledged()).isTrue();
        untilEmpty(orders);
        callback.acknowledge(Status.REJECT);
        assertThat(flows.requests("DELETE", "/orders/messages")).isEqualTo(1);
        assertThat(orders.poison().count()).isZero();
    }

    @Test
    void rejectsToThePoisonQueueAndGivesBackWithoutAFailure() throws Exception {
        orders.send("reject me");
        AckUtils.reject(callback(flows.next()));
        until(() -> orders.poison().count() == 1);
        assertThat(orders.poison().peek(1).get(0).reason()).contains("rejected by its flow");
        assertThat(orders.poison().peek(1).get(0).failures()).isZero();

        orders.send("again and again");
        for (long delivery = 1; delivery <= 7; delivery++) {
            Message<?> message = flows.next();
            assertThat(header(message, QueueMessageHeaders.DEQUEUE_COUNT, Long.class))
                    .isEqualTo(delivery);
            AckUtils.requeue(callback(message));
        }
        AckUtils.accept(callback(flows.next()));
        untilEmpty(orders);
        assertThat(orders.poison().count()).as("seven returns are no failures").isEqualTo(1);
    }

    @Test
    void stopsWithTheClientWithinTheStopTimeoutOfItsConsumer() throws Exception {
        adapter.stop();
        adapter.setConsumer(consumer -> QueueFlows.quick(consumer).stopTimeout(Duration.ofMillis(200)));
        adapter.start();
        orders.send("not acknowledged");
        flows.next();
        long begun = System.nanoTime();
        flows.client().close();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void stopsWithTheLongestStopTimeout() throws Exception {
        assertThatIllegalArgumentException().isThrownBy(() -> adapter.setStopTimeout(Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> adapter.setStopTimeout(Duration.ofDays(1).plusMillis(1)));
        adapter.setStopTimeout(Duration.ofDays(1));
        adapter.stop();
        adapter.start();
        orders.send("after the stop");
        callback(flows.next()).acknowledge(Status.ACCEPT);
        untilEmpty(orders);
        adapter.stop();
    }

    @Test
    void namesTheSettingWithoutAResult() {
        adapter.stop();
        adapter.setConsumer(consumer -> null);
        assertThatNullPointerException().isThrownBy(adapter::start).withMessage("the result of consumer(..)");
    }

    @Test
    void takesNoMoreThanItsHandlersUntilAcknowledgmentsCome() throws Exception {
        adapter.stop();
        adapter.setConsumer(consumer -> QueueFlows.quick(consumer).concurrency(4));
        adapter.start();
        orders.sendAll(List.of("a", "b", "c", "d", "e", "f"));
        Set<Message<?>> first = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            first.add(flows.next());
        }
        long polls = flows.requests("GET", "/orders/messages");
        assertThat(flows.seen).isEmpty();
        first.forEach(message -> AckUtils.accept(callback(message)));

        AckUtils.accept(callback(flows.next()));
        AckUtils.accept(callback(flows.next()));
        untilEmpty(orders);
        assertThat(polls).isPositive();
    }

    @Test
    void aFlowThatThrowsHasFailedAndItsLateAcknowledgmentIsRefused() throws Exception {
        MessageQueue<String> risky = flows.queue("risky");
        flows.start(
                "risky",
                IntegrationFlow.from(StowlineQueues.inbound(risky)
                                .consumer(c -> QueueFlows.quick(c).poisonAfter(2))
                                .manualAcknowledgment())
                        .handle(message -> {
                            flows.seen.add(message);
                            if (message.getPayload().equals("accepted first")) {
                                AckUtils.accept(callback(message));
                            }
                            throw new IllegalStateException("the flow failed");
                        })
                        .get());
        risky.send("fails");
        AcknowledgmentCallback late = callback(flows.next());
        until(() -> risky.poison().count() == 1);
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(late::acknowledge)
                .withMessageContaining("is acknowledged too late");
        assertThat(late.isAcknowledged()).isFalse();
        flows.seen.clear();

        risky.send("accepted first");
        flows.next();
        untilEmpty(risky);
        assertThat(risky.poison().count()).isEqualTo(1);
    }

    @Test
    void renewsTheLeaseAndRefusesTheAcknowledgmentOfALostMessage() throws Exception {
        adapter.stop();
        adapter.setConsumer(consumer -> QueueFlows.quick(consumer).lease(Duration.ofSeconds(10)));
        adapter.start();
        orders.send("kept");
        AcknowledgmentCallback kept = callback(flows.next());
        MessageQueue<String> further = flows.furtherQueue("orders");
        flows.start(
                "further",
                IntegrationFlow.from(StowlineQueues.inbound(further)
                                .consumer(
                                        c -> QueueFlows.quick(c).concurrency(1).lease(Duration.ofSeconds(10)))
                                .manualAcknowledgment())
                        .handle(flows.seen::add)
                        .get());
        further.send("removed by another client");
        Message<?> removed = flows.next();
        further.clear();
        further.send("the next one");
        // Half of a lease later the one is renewed, and the other one is found to be gone, which frees its handler.
        until(() -> flows.requests("PUT", "/orders/messages") >= 1);
        Message<?> next = flows.next();

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(callback(removed)::acknowledge)
                .withMessageContaining("is acknowledged too late");
        AckUtils.accept(kept);
        AckUtils.accept(callback(next));
        untilEmpty(orders);
        untilEmpty(further);
    }

    @Test
    void aStopWaitsForAcknowledgments() throws Exception {
        orders.sendAll(List.of("one", "two"));
        AcknowledgmentCallback one = callback(flows.next());
        AcknowledgmentCallback two = callback(flows.next());
        Thread stopping = new Thread(adapter::stop);
        stopping.start();
        one.acknowledge(Status.ACCEPT);
        until(() -> orders.approximateCount() == 1);
        assertThat(stopping.isAlive()).isTrue();
        two.acknowledge(Status.REQUEUE);
        stopping.join();

        assertThat(orders.peek(32)).hasSize(1);
        adapter.start();
        AckUtils.accept(callback(flows.next()));
        untilEmpty(orders);
    }

    @Test
    void aContextThatClosesGivesBackWhatWaitsForAPoller() throws Exception {
        MessageQueue<String> parcels = flows.queue("parcels");
        flows.start(
                "polled",
                IntegrationFlow.from(StowlineQueues.inbound(parcels)
                                .consumer(QueueFlows::quick)
                                .manualAcknowledgment()
                                .stopTimeout(Duration.ofMillis(200)))
                        .channel(channels -> channels.queue("packing", 100))
                        .handle(
                                message -> {
                                    AckUtils.accept(callback(message));
                                    flows.seen.add(message);
                                },
                                endpoint -> endpoint.poller(
                                        poller -> poller.fixedDelay(1_000).maxMessagesPerPoll(1)))
                        .get());
        for (int i = 0; i < 40; i++) {
            parcels.send("parcel " + i);
        }
        flows.next();
        flows.context.close();

        assertThat(flows.seen).as("the others are not done").hasSizeLessThan(39);
        assertThat(parcels.approximateCount()).isEqualTo(40 - 1 - flows.seen.size());
        assertThat(parcels.receive(32)).as("visible at once").hasSize(Math.min(32, 39 - flows.seen.size()));
    }

    @Test
    void aStopThatIsOverGivesBackAndRefusesLaterAcknowledgments() throws Exception {
        adapter.stop();
        adapter.setStopTimeout(Duration.ofMillis(50));
        adapter.start();
        orders.send("unacknowledged");
        AcknowledgmentCallback late = callback(flows.next());
        adapter.stop();

        assertThat(orders.peek(32)).as("visible without waiting for the lease").hasSize(1);
        assertThat(late.isAcknowledged()).isFalse();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(late::acknowledge);
        adapter.start();
        Message<?> again = flows.next();
        assertThat(header(again, QueueMessageHeaders.DEQUEUE_COUNT, Long.class)).isEqualTo(2);
        AckUtils.accept(callback(again));
        untilEmpty(orders);
    }

    @Test
    void aRejectionThatFailsHasTheMessageReceivedAgain() throws Exception {
        flows.storage.refuseNext("POST", "/orders-poison/messages", 403, "AuthorizationFailure");
        orders.send("reject me twice");
        AckUtils.reject(callback(flows.next()));
        AckUtils.reject(callback(flows.next()));

        untilEmpty(orders);
        assertThat(orders.poison().count()).isEqualTo(1);
    }

    @Test
    void nothingIsForgottenOverRandomAcknowledgmentsAndStops() throws Exception {
        adapter.stop();
        adapter.setConsumer(consumer -> QueueFlows.quick(consumer).concurrency(8));
        adapter.setStopTimeout(Duration.ofMillis(20));
        adapter.start();
        Set<Object> accepted = ConcurrentHashMap.newKeySet();
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> workers = new ArrayList<>();
        for (int number = 0; number < 3; number++) {
            Random random = new Random(48 + number);
            workers.add(new Thread(() -> acknowledge(random, accepted, over)));
        }
        workers.forEach(Thread::start);
        List<String> sent = IntStream.range(0, 150).mapToObj(i -> "m" + i).toList();
        for (int round = 0; round < 10; round++) {
            sent.subList(round * 15, round * 15 + 15).forEach(orders::send);
            adapter.stop();
            adapter.start();
        }

        until(() -> accepted.size() == 150);
        untilEmpty(orders);
        over.set(true);
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(accepted).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(orders.poison().count()).isZero();
    }

    private void acknowledge(Random random, Set<Object> accepted, AtomicBoolean over) {
        while (!over.get()) {
            Message<?> message = flows.seen.poll();
            if (message == null) {
                ShortPause.park();
                continue;
            }
            Status status = random.nextInt(10) < 7 ? Status.ACCEPT : Status.REQUEUE;
            try {
                callback(message).acknowledge(status);
                if (status == Status.ACCEPT) {
                    accepted.add(message.getPayload());
                }
            } catch (LeaseLostException e) {
                assertThat(e).hasMessageContaining("is received again");
            }
        }
    }

    @Test
    void aLostResponseOfAnEndIsSettled() throws Exception {
        flows.queue("orders-poison");
        orders.send("reject without a response");
        flows.storage.loseNextResponse("POST", "/orders-poison/messages");
        flows.storage.loseNextResponse("DELETE", "/orders/messages/");
        AckUtils.reject(callback(flows.next()));
        untilEmpty(orders);
        assertThat(orders.poison().count()).isBetween(1L, 2L);

        orders.send("go on");
        AckUtils.accept(callback(flows.next()));
        untilEmpty(orders);
    }
}
