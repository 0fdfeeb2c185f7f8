package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.ReceivedMessage;
import io.stowline.retry.Backoff;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

@Timeout(120)
class ConsumerIT extends StorageTest {

    record Order(String id, int count) {}

    private static final Duration GUARD = Duration.ofSeconds(60);

    private final String name = "c" + UUID.randomUUID().toString().substring(0, 30);
    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private MessageQueue<Order> orders;

    @BeforeEach
    void make() {
        orders = storage.queue(name, Order.class);
        orders.create();
    }

    @AfterEach
    void remove() {
        orders.dropIfExists();
        storage.queue(name + "-poison").dropIfExists();
    }

    private void send(int messages) {
        IntStream.range(0, messages).forEach(i -> orders.send(new Order("order " + i, i)));
    }

    private List<String> take(int messages) throws InterruptedException {
        String[] taken = new String[messages];
        for (int i = 0; i < messages; i++) {
            taken[i] = handled.poll(GUARD.toSeconds(), TimeUnit.SECONDS);
        }
        return List.of(taken);
    }

    private static String[] ids(int messages) {
        return IntStream.range(0, messages).mapToObj(i -> "order " + i).toArray(String[]::new);
    }

    @Test
    @DisplayName("QUEUE-4: a consumer handles and deletes what is sent")
    void consumes() throws Exception {
        send(100);
        try (QueueConsumer consumer =
                orders.consume(m -> handled.add(m.body().id())).start()) {
            assertThat(take(100)).containsExactlyInAnyOrder(ids(100));
            assertThat(consumer.queue()).isEqualTo(name);
            StopReport report = consumer.stop(GUARD);
            assertThat(report.abandoned()).isZero();
            assertThat(consumer.stats().completed()).isEqualTo(100);
        }

        assertThat(orders.approximateCount()).isZero();
        assertThat(handled).isEmpty();
    }

    @Test
    @DisplayName("QUEUE-4: reactive handlers complete by their publishers")
    void consumesReactively() throws Exception {
        try (QueueConsumer consumer = orders.reactive()
                .consume(m -> Mono.fromRunnable(() -> handled.add(m.body().id())))
                .concurrency(4)
                .start()) {
            send(20);
            assertThat(take(20)).containsExactlyInAnyOrder(ids(20));
            consumer.stop(GUARD);
        }

        assertThat(orders.approximateCount()).isZero();
    }

    @Test
    @DisplayName("QUEUE-4: a batch has a result for each message")
    void consumesBatches() throws Exception {
        Set<String> failedOnce = ConcurrentHashMap.newKeySet();
        send(20);
        try (QueueConsumer consumer = orders.consumeBatches(8, batch -> {
                    for (MessageLease<Order> message : batch.messages()) {
                        if (message.body().count() == 7 && failedOnce.add(message.id())) {
                            batch.fail(message, new IllegalStateException("once"));
                        } else {
                            handled.add(message.body().id());
                        }
                    }
                })
                .concurrency(2)
                .retryDelay(Backoff.none())
                .start()) {
            assertThat(take(20)).containsExactlyInAnyOrder(ids(20));
            consumer.stop(GUARD);
            assertThat(consumer.stats().retried()).isEqualTo(1);
        }

        assertThat(orders.approximateCount()).isZero();
    }

    @Test
    @DisplayName("QUEUE-4: a send through the same client wakes a consumer that waits")
    void isWoken() throws Exception {
        Duration long10 = Duration.ofMinutes(10);
        try (QueueConsumer consumer = orders.consume(m -> handled.add(m.body().id()))
                .pollDelay(long10, long10)
                .start()) {
            while (proxy().recorded(requests().method("GET").path("/**/" + name + "/messages"))
                    .isEmpty()) {
                ShortPause.park();
            }
            send(1);
            assertThat(take(1)).containsExactly("order 0");
            assertThat(consumer.isPaused()).isFalse();
        }
    }

    @Test
    @DisplayName("QUEUE-3: what fails for good goes to the poison queue with its reason, and can be moved back")
    void poisons() throws Exception {
        send(3);
        try (QueueConsumer consumer = orders.consume(m -> {
                    handled.add(m.body().id());
                    if (m.body().count() == 1) {
                        throw new IllegalArgumentException("no such customer");
                    }
                })
                .poisonAfter(2)
                .retryDelay(Backoff.none())
                .start()) {
            assertThat(take(4)).contains("order 0", "order 1", "order 2");
            consumer.stop(GUARD);
            assertThat(consumer.stats().poisoned()).isEqualTo(1);
        }
        PoisonQueue<Order> poison = orders.poison();
        assertThat(orders.approximateCount()).isZero();
        assertThat(poison.count()).isEqualTo(1);
        PoisonQueue.Message<Order> message = poison.peek(32).get(0);
        assertThat(message.body()).isEqualTo(new Order("order 1", 1));
        assertThat(message.reason()).contains("failed 2 times");
        assertThat(message.error()).contains("java.lang.IllegalArgumentException: no such customer");
        assertThat(message.queue()).contains(name);
        assertThat(message.failures()).isEqualTo(2);
        assertThat(message.deliveries()).isEqualTo(2);

        assertThat(poison.redrive(other -> other.failures() > 2)).isZero();
        assertThat(poison.count()).isEqualTo(1);
        assertThat(poison.redrive(one -> one.body().count() == 1)).isEqualTo(1);
        assertThat(poison.count()).isZero();
        assertThat(orders.receive().orElseThrow().body()).isEqualTo(new Order("order 1", 1));
    }

    @Test
    @DisplayName("QUEUE-3: without a poison queue there is nothing to see and nothing to move")
    void withoutPoison() {
        assertThat(orders.poison().count()).isZero();
        assertThat(orders.poison().peek(1)).isEmpty();
        assertThat(orders.poison().redrive(all -> true)).isZero();
    }

    @Test
    @DisplayName("QUEUE-6: a body that cannot be decoded is poison of its own, with its text")
    void undecodable() throws Exception {
        storage.queue(name).send("{\"id\":");
        send(1);
        try (QueueConsumer consumer =
                orders.consume(m -> handled.add(m.body().id())).start()) {
            assertThat(take(1)).containsExactly("order 0");
            while (consumer.stats().poisoned() == 0) {
                ShortPause.park();
            }
        }

        PoisonQueue.Message<Order> message = orders.poison().peek(1).get(0);
        assertThat(message.isDecodable()).isFalse();
        assertThat(message.reason()).contains("cannot be decoded");
        assertThat(storage.queue(name).poison().peek(1).get(0).body()).isEqualTo("{\"id\":");
    }

    @Test
    @DisplayName("QUEUE-3: a copy that fails twice loses nothing: the original is deleted after the one that succeeds")
    void failedCopy() throws Exception {
        FaultRule refused = proxy().when(requests()
                        .method("POST")
                        .path("/**/" + name + "-poison/messages")
                        .times(2))
                .respond(StubResponse.error(403, "AuthorizationFailure", "not allowed"));
        send(1);
        try (QueueConsumer consumer = orders.consume(m -> {
                    throw new IllegalStateException("always");
                })
                .poisonAfter(1)
                .retryDelay(Backoff.none())
                .start()) {
            while (consumer.stats().poisoned() == 0) {
                ShortPause.park();
            }
        }

        assertThat(refused.hits()).isEqualTo(2);
        assertThat(orders.poison().count()).isEqualTo(1);
        assertThat(orders.approximateCount()).isZero();
        assertThat(proxy().recorded(requests()
                        .method("POST", "DELETE")
                        .path("/**/" + name + "*/messages**")
                        .when(
                                "ends a message",
                                request -> !request.method().equals("POST")
                                        || request.path().contains("-poison"))))
                .extracting(exchange -> exchange.request().method()
                        + exchange.response().map(StubResponse::status).orElseThrow())
                .startsWith("POST403", "POST403")
                .endsWith("POST201", "DELETE204")
                .containsOnlyOnce("POST201", "DELETE204");
        refused.remove();
    }

    @Test
    @DisplayName("QUEUE-1: renewals that are answered 503 twice lose nothing")
    void busyRenewals() throws Exception {
        FaultRule busy = proxy().when(requests()
                        .method("PUT")
                        .path("/**/" + name + "/messages/*")
                        .times(2))
                .respond(StubResponse.error(503, "ServerBusy", "busy"));
        send(1);
        AtomicInteger starts = new AtomicInteger();
        CompletableFuture<MessageLease<Order>> running = new CompletableFuture<>();
        CountDownLatch goOn = new CountDownLatch(1);
        try (QueueConsumer consumer = orders.consume(m -> {
                    starts.incrementAndGet();
                    running.complete(m);
                    goOn.await();
                })
                .lease(Duration.ofSeconds(10))
                .start()) {
            MessageLease<Order> held = running.get(GUARD.toSeconds(), TimeUnit.SECONDS);
            Duration before = held.remaining();
            while (held.remaining().compareTo(before) <= 0) {
                before = held.remaining();
                ShortPause.park();
            }
            goOn.countDown();
            consumer.stop(GUARD);
            assertThat(consumer.stats().completed()).isEqualTo(1);
        }

        assertThat(busy.hits()).isEqualTo(2);
        assertThat(starts).hasValue(1);
        busy.remove();
    }

    @Test
    @DisplayName("QUEUE-5: a stop while 200 messages wait shows at once what was not started")
    void stops() throws Exception {
        send(200);
        CountDownLatch first = new CountDownLatch(60);
        CountDownLatch goOn = new CountDownLatch(1);
        QueueConsumer consumer = orders.consume(m -> {
                    first.countDown();
                    if (m.body().count() >= 60) {
                        goOn.await();
                    }
                })
                .concurrency(2)
                .start();
        assertThat(first.await(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Mono<StopReport> stopping = consumer.stopAsync(GUARD).cache();
        stopping.subscribe();
        long requested = System.nanoTime();
        while (consumer.stats().messagesInHand() > 2) {
            ShortPause.park();
        }
        Duration released = Duration.ofNanos(System.nanoTime() - requested);
        goOn.countDown();
        StopReport report = stopping.block(GUARD);

        assertThat(released).isLessThan(GUARD.dividedBy(2));
        assertThat(report.abandoned()).isZero();
        int visible = 0;
        for (List<ReceivedMessage<Order>> next = orders.receive(32); !next.isEmpty(); next = orders.receive(32)) {
            visible += next.size();
        }
        assertThat(consumer.stats().completed() + visible).isEqualTo(200);
    }

    @Test
    @DisplayName(
            "QUEUE-5: closing the client stops its consumers before its writers, and handlers finish what they write")
    void closesWithTheClient() throws Exception {
        Table<Runner> runners = freshTable(Runner.class);
        CompletableFuture<Thread> running = new CompletableFuture<>();
        CountDownLatch goOn = new CountDownLatch(1);
        send(1);
        Stowline closing = client(connectionString());
        TableWriter<Runner> writer =
                closing.table(runners.name(), Runner.class).writer(settings -> settings.linger(Duration.ofHours(1)));
        closing.queue(name, Order.class)
                .consume(m -> {
                    running.complete(Thread.currentThread());
                    goOn.await();
                    writer.insert(Runner.of("race", 1));
                })
                .start();
        running.get(GUARD.toSeconds(), TimeUnit.SECONDS);
        Thread closer = new Thread(closing::close);
        closer.start();
        goOn.countDown();
        closer.join(GUARD.toMillis());

        assertThat(runners.query().list()).hasSize(1);
        assertThat(orders.approximateCount()).isZero();
    }

    record Claim(@PartitionKey String queue, @RowKey String order, String message) {}

    @Test
    @DisplayName(
            "QUEUE-2: with a claim for each order, copies of a message are handled once by two processes, and failures"
                    + " again")
    void dropsCopies() throws Exception {
        Table<Claim> claims = freshTable(Claim.class);
        Set<String> failedOnce = ConcurrentHashMap.newKeySet();
        send(20);
        send(20);
        QueueConsumer.Handler<MessageLease<Order>> handler = m -> {
            Claim mine = new Claim("orders", m.body().id(), m.id());
            try {
                claims.claim(mine);
            } catch (ConflictException | OutcomeUnknownException e) {
                boolean claimedByMe = claims.find("orders", m.body().id())
                        .map(stored -> stored.value().equals(mine))
                        .orElseThrow(() -> e);
                if (!claimedByMe) {
                    return;
                }
            }
            if (m.body().count() % 5 == 0 && failedOnce.add(m.body().id())) {
                throw new IllegalStateException("once");
            }
            handled.add(m.body().id());
        };
        try (Stowline other = client(connectionString());
                QueueConsumer first =
                        orders.consume(handler).retryDelay(Backoff.none()).start();
                QueueConsumer second = other.queue(name, Order.class)
                        .consume(handler)
                        .retryDelay(Backoff.none())
                        .start()) {
            assertThat(take(20)).containsExactlyInAnyOrder(ids(20));
            while (first.stats().completed() + second.stats().completed() < 40) {
                ShortPause.park();
            }
        }

        assertThat(handled).isEmpty();
        assertThat(failedOnce).hasSize(4);
    }

    @Test
    @DisplayName("QUEUE-1, QUEUE-2: a message that is held by hand is ended by hand")
    void holds() {
        send(4);
        List<ReceivedMessage<Order>> received = orders.receive(4);
        try (MessageLease<Order> held = orders.hold(received.get(0))) {
            assertThat(held.body()).isEqualTo(received.get(0).body());
            assertThat(held.remaining()).isPositive();
            held.complete();
            assertThatIllegalStateException().isThrownBy(held::complete).withMessageContaining("ended already");
        }
        try (MessageLease<Order> held = orders.hold(received.get(1))) {
            held.poison("wrong address");
        }
        try (MessageLease<Order> held = orders.hold(received.get(2))) {
            held.retryIn(Duration.ofHours(1));
        }
        try (MessageLease<Order> held = orders.hold(received.get(3))) {
            assertThat(held.isLost()).isFalse();
        }

        assertThat(orders.poison().peek(1).get(0).reason()).contains("wrong address");
        assertThat(orders.receive(4))
                .extracting(ReceivedMessage::id)
                .containsExactly(received.get(3).id());
        assertThat(orders.approximateCount()).isEqualTo(2);
    }

    @Test
    @DisplayName("QUEUE-2: what another client has taken away is lost, and says so")
    void loses() throws Exception {
        send(1);
        ReceivedMessage<Order> received =
                orders.receive(1, Duration.ofSeconds(30)).get(0);
        orders.delete(received);
        CountDownLatch lost = new CountDownLatch(1);
        MessageLease<Order> held = orders.hold(received, Duration.ofMinutes(2));
        held.onLost(lost::countDown);
        assertThat(lost.await(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(held.isLost()).isTrue();
        assertThat(held.remaining()).isZero();
        assertThatExceptionOfType(MessageLease.LeaseLostException.class).isThrownBy(held::complete);
        held.close();
    }
}
