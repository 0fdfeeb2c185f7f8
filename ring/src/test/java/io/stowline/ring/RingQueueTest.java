package io.stowline.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.Stowline;
import io.stowline.error.ClosedException;
import io.stowline.outcome.ItemResult;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.SendResult;
import io.stowline.table.Entity;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RingQueueTest {

    private final RingBench bench = new RingBench(3);
    private final RingQueue<String> jobs = bench.ring().queue("jobs", String.class);

    @BeforeEach
    void create() {
        assertThat(jobs.exists()).isFalse();
        assertThat(jobs.createIfMissing()).isTrue();
        assertThat(jobs.createIfMissing()).isFalse();
        assertThat(jobs.exists()).isTrue();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** Waits for what the consumers do on their threads. */
    private static void until(BooleanSupplier reached) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!reached.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("nanoseconds over the time").isNegative();
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    @DisplayName("RING-1: a message goes to the account of its placement")
    void sendsByPlacement() {
        for (int i = 0; i < 30; i++) {
            String placement = "customer-" + i;
            jobs.send(placement, "m" + i);
            jobs.send(placement, "later" + i, send -> send.delay(Duration.ofMinutes(1)));
        }

        assertThat(jobs.approximateCount()).isEqualTo(60);
        jobs.queues().forEach((account, queue) -> {
            List<String> received = new ArrayList<>();
            for (var messages = queue.receive(32); !messages.isEmpty(); messages = queue.receive(32)) {
                messages.forEach(message -> received.add(message.body()));
            }
            assertThat(received).isNotEmpty().allSatisfy(body -> assertThat(
                            bench.ring().accountOf("customer-" + body.substring(1)))
                    .isEqualTo(account));
        });
    }

    @Test
    @DisplayName("RING-2: many messages go to all accounts at once, and a send that fails names its account")
    void sendsMany() {
        List<String> bodies = IntStream.range(0, 50).mapToObj(i -> "m" + i).toList();
        String home = bench.ring().accountOf("m7");
        bench.account(home).refuseNext("POST", "/jobs", 403, "AuthorizationFailure");

        List<ItemResult<String, SendResult>> ends = jobs.sendAll(bodies, body -> body);

        assertThat(ends).extracting(ItemResult::item).isEqualTo(bodies);
        assertThat(ends).filteredOn(end -> !end.succeeded()).singleElement().satisfies(end -> assertThat(
                        FailedAccountException.accountOf(end.error()))
                .contains(home));
        assertThat(jobs.approximateCount()).isEqualTo(49);
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> jobs.sendAll(bodies, body -> body.equals("m49") ? null : body))
                .withMessageContaining("placement");
        assertThat(jobs.approximateCount()).isEqualTo(49);
        assertThat(jobs.sendAll(List.of(), body -> body)).isEmpty();
    }

    @Test
    @DisplayName("RING-5: consumers receive from the queues of all accounts, and stop together")
    void consumesFromAllAccounts() throws InterruptedException {
        Set<String> handled = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(40);
        for (int i = 0; i < 40; i++) {
            jobs.send("customer-" + i, "m" + i);
        }

        try (RingConsumer consumer = jobs.consume(
                message -> {
                    handled.add(message.body());
                    all.countDown();
                },
                c -> c.concurrency(2))) {
            assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(handled).hasSize(40);
            assertThat(consumer.queue()).isEqualTo("jobs");
            assertThat(consumer.consumers()).containsOnlyKeys("a0", "a1", "a2");
            assertThat(consumer.consumers().values()).allMatch(one -> one.concurrency() == 2);
            assertThat(consumer.isPaused()).isFalse();
            consumer.pause();
            until(consumer::isPaused);
            consumer.resume();
            until(() -> !consumer.isPaused());

            consumer.stop(Duration.ofSeconds(20));
            QueueConsumer.Stats stats = consumer.stats();
            assertThat(stats.completed()).isEqualTo(40);
            assertThat(stats.messagesInHand()).isZero();
            assertThat(stats.pollFailure()).isNull();
        }
        assertThat(jobs.approximateCount()).isZero();
    }

    @Test
    void consumesBatches() throws InterruptedException {
        Set<String> handled = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(20);
        jobs.sendAll(IntStream.range(0, 20).mapToObj(i -> "m" + i).toList(), body -> body);

        try (RingConsumer consumer = jobs.consumeBatches(
                8,
                batch -> batch.messages().forEach(message -> {
                    if (handled.add(message.body())) {
                        all.countDown();
                    }
                }),
                c -> c)) {
            assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(consumer).hasToString("RingConsumer[jobs]");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> jobs.consumeBatches(33, batch -> {}, c -> c));
    }

    @Test
    @DisplayName("RING-5: a handler cannot wait for the stop of the consumer that runs it; nothing is stopped then")
    void aHandlerCannotStopItsConsumer() throws InterruptedException {
        AtomicReference<RingConsumer> running = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        try (RingConsumer consumer = jobs.consume(
                message -> {
                    started.await();
                    failure.set(catchThrowable(running.get()::close));
                    done.countDown();
                },
                c -> c)) {
            running.set(consumer);
            started.countDown();
            jobs.send("x", "stop");
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(failure.get())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("cannot wait for the stop");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> running.get().stop(Duration.ZERO));
    }

    @Test
    @DisplayName("RING-5: a handler cannot close the ring; nothing is closed then")
    void aHandlerCannotCloseTheRing() throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(2);
        jobs.consume(
                message -> {
                    failure.compareAndSet(null, catchThrowable(bench.ring()::close));
                    done.countDown();
                },
                c -> c);
        jobs.send(placementOf("a2"), "one");
        jobs.send(placementOf("a0"), "another");

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failure.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("close the ring in another thread");
        assertThat(bench.ring().client("a0").listQueues()).isNotEmpty();
    }

    @Test
    @DisplayName("RING-5: closing a ring ends its consumers and writers, not the clients that it was given")
    void endsItsWorkOnClientsThatItWasGiven() {
        try (Stowline client = RingBench.client(MemoryStorage.create(), http -> http)
                .apply(Stowline.builder())
                .build()) {
            client.queue("jobs", String.class).createIfMissing();
            StowlineRing given = StowlineRing.of(r -> r.account("x", client, a -> a));
            RingConsumer consumer = given.queue("jobs", String.class).consume(message -> {}, c -> c);
            RingWriter<Entity> writer = given.table("rows", Entity.class).writer();

            given.close();
            given.close();

            assertThat(consumer.stop(Duration.ofSeconds(1)).completed()).isZero();
            assertThatExceptionOfType(ClosedException.class)
                    .isThrownBy(() -> writer.insert(Entity.builder("p", "r").build()));
            assertThatExceptionOfType(ClosedException.class)
                    .isThrownBy(() -> given.table("rows", Entity.class).writer());
            assertThatExceptionOfType(ClosedException.class)
                    .isThrownBy(() -> given.queue("jobs", String.class).consume(message -> {}, c -> c));
            assertThat(client.listQueues()).containsExactly("jobs");
        }
    }

    @Test
    @DisplayName("RING-5: a consumer that does not start in one account is stopped in the others")
    void startsInAllAccountsOrNone() {
        bench.ring().client("a2").close();

        Throwable failure = catchThrowable(() -> jobs.consume(message -> {}, c -> c));

        assertThat(failure).isInstanceOf(ClosedException.class);
        assertThat(FailedAccountException.accountOf(failure)).contains("a2");
        assertThat(bench.ring().stats().total().handlersRunning()).isZero();
    }

    @Test
    void aFailedPollNamesItsAccount() throws InterruptedException {
        CountDownLatch handled = new CountDownLatch(1);
        bench.ring().client("a1").queue("jobs").drop();
        try (RingConsumer consumer = jobs.consume(message -> handled.countDown(), c -> c)) {
            jobs.send(placementOf("a0"), "m");
            assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
            until(() -> consumer.stats().pollFailure() != null);
            consumer.pause();
            assertThat(consumer.stats().pollFailure()).startsWith("a1: ");
        }
    }

    private String placementOf(String account) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "p" + i)
                .filter(placement -> bench.ring().accountOf(placement).equals(account))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aViewHoldsForAllQueues() {
        RingQueue<String> plain = jobs.withView(queue -> queue.withEncoding(QueueMessageEncoding.NONE));
        plain.send("x", "plain");

        assertThat(plain.name()).isEqualTo("jobs");
        assertThat(jobs.queues().get(bench.ring().accountOf("x")).receive())
                .get()
                .satisfies(message -> assertThat(message.raw()).isEqualTo("plain"));
        assertThat(jobs).hasToString("RingQueue[jobs]");
    }

    @Test
    @DisplayName("RING-5: while an account leaves, messages go to those that stay and are received from all")
    void aChangeNeedsNoMove() throws InterruptedException {
        MemoryStorage stays = MemoryStorage.create();
        MemoryStorage leaves = MemoryStorage.create();
        CountDownLatch handled = new CountDownLatch(10);
        try (StowlineRing before = StowlineRing.of(r -> r.account("a", RingBench.client(stays, http -> http), a -> a)
                        .account("b", RingBench.client(leaves, http -> http), a -> a));
                StowlineRing ring = StowlineRing.of(r -> r.account("a", RingBench.client(stays, http -> http), a -> a)
                        .leaving("b", RingBench.client(leaves, http -> http), a -> a))) {
            before.queue("jobs", String.class).createIfMissing();
            for (int i = 0; i < 5; i++) {
                before.client("b").queue("jobs").send("old" + i);
                ring.queue("jobs", String.class).send("p" + i, "new" + i);
            }

            assertThat(ring.client("a").queue("jobs").approximateCount()).isEqualTo(5);
            try (RingConsumer consumer =
                    ring.queue("jobs", String.class).consume(message -> handled.countDown(), c -> c)) {
                assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(consumer.consumers()).hasSize(2);
            }
            assertThatIllegalStateException()
                    .isThrownBy(() -> ring.container("pictures").containerOf("a"));
        }
    }

    @Test
    void dropsInAllAccounts() {
        assertThat(jobs.dropIfExists()).isTrue();
        assertThat(jobs.dropIfExists()).isFalse();
    }
}
