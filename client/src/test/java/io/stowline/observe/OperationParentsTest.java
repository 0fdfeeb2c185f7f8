package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.stowline.Stowline;
import io.stowline.caching.Freshness;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The storage responds in the thread of the caller, so that whatever a call sets off happens within the caller's observation. */
@Timeout(60)
@DisplayName("an operation is one observation, whose parent is its caller; the library's own work has none")
class OperationParentsTest {

    record Runner(@PartitionKey String race, @RowKey String bib, int age) {}

    private record Started(String operation, String resource, String parent) {}

    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);

    private final Queue<Started> started = new ConcurrentLinkedQueue<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final MemoryStorage memory = MemoryStorage.create();
    private final Scheduler io = Schedulers.newSingle("memory", true);
    private final Stowline client = client(false);
    private final Table<Runner> runners = client.table("runners", Runner.class);
    private final MessageQueue<String> orders =
            client.queue("orders", String.class).withEnvelope(e -> e);

    OperationParentsTest() {
        observations
                .observationConfig()
                .observationHandler(new DefaultMeterObservationHandler(meters))
                .observationHandler(new ObservationHandler<>() {
                    @Override
                    public void onStart(Observation.Context context) {
                        StowlineObservationContext operation = context instanceof StowlineObservationContext plain
                                ? plain
                                : context.get(StowlineObservationContext.class);
                        if (operation != null) {
                            var parent = context.getParentObservation();
                            started.add(new Started(
                                    operation.operation().name(),
                                    operation.operation().resource(),
                                    parent == null ? "none" : name(parent.getContextView())));
                        }
                    }

                    @Override
                    public boolean supportsContext(Observation.Context context) {
                        return true;
                    }
                });
    }

    private static String name(Observation.ContextView parent) {
        StowlineObservationContext operation = parent instanceof StowlineObservationContext plain
                ? plain
                : parent.get(StowlineObservationContext.class);
        return operation == null
                ? String.valueOf(parent.getName())
                : operation.operation().name();
    }

    private Stowline client(boolean onOtherThread) {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(request -> onOtherThread
                        ? memory.httpClient().send(request).publishOn(io)
                        : memory.httpClient().send(request))
                .listener(MicrometerListener.of(observations, meters))
                .build();
    }

    @AfterEach
    void close() {
        client.close();
        io.dispose();
    }

    private void within(String request, Runnable calls) {
        Observation.createNotStarted(request, observations).observe(calls);
    }

    private static void until(BooleanSupplier reached) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!reached.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited until").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    private Stream<Started> all(String... operations) {
        return started.stream().filter(one -> List.of(operations).contains(one.operation()));
    }

    private long timed(String operation) {
        return meters.find("stowline.operation").tag("operation", operation).timers().stream()
                .mapToLong(timer -> timer.count())
                .sum();
    }

    @Test
    @DisplayName("polls, counts, removals and handlings have no parent, whichever call wakes their consumer")
    void consumers() throws InterruptedException {
        orders.createIfMissing();
        CountDownLatch handled = new CountDownLatch(6);
        QueueConsumer.Builder builder = orders.consume(message -> {
                    runners.exists();
                    handled.countDown();
                })
                .pollDelay(Duration.ofMillis(10), Duration.ofSeconds(1));
        QueueConsumer[] begun = new QueueConsumer[1];
        within("start", () -> begun[0] = builder.start());
        try (QueueConsumer consumer = begun[0]) {
            within("request", () -> {
                for (int i = 0; i < 3; i++) {
                    orders.send("shirt");
                }
                consumer.pause();
                consumer.concurrency(2);
                consumer.resume();
                for (int i = 0; i < 3; i++) {
                    orders.send("shoes");
                }
            });
            assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
            until(() -> timed("delete") >= 6);
        }
        assertThat(all("send")).hasSize(6).extracting(Started::parent).containsOnly("request");
        assertThat(all("receive", "approximateCount", "delete", "handle", "update"))
                .extracting(Started::parent)
                .containsOnly("none");
        assertThat(all("receive")).isNotEmpty();
        assertThat(all("exists")).hasSize(6).extracting(Started::parent).containsOnly("handle");
    }

    @Test
    @SuppressWarnings("try") // the consumer is closed, and not used
    @DisplayName("calls of a handler for its message have the handling as their parent")
    void settlements() {
        orders.createIfMissing();
        AtomicBoolean again = new AtomicBoolean();
        try (QueueConsumer consumer = orders.consume(message -> {
                    if (again.compareAndSet(false, true)) {
                        message.retryIn(Duration.ZERO);
                    } else {
                        message.complete();
                    }
                })
                .start()) {
            within("request", () -> orders.send("shirt"));
            until(() -> timed("delete") >= 1);
        }
        assertThat(all("update", "delete"))
                .hasSize(2)
                .extracting(Started::parent)
                .containsOnly("handle");
        assertThat(all("receive")).extracting(Started::parent).containsOnly("none");
    }

    @Test
    @DisplayName("requests of a writer, which are many callers', have no parent")
    void writers() {
        runners.createIfMissing();
        within("request", () -> {
            try (TableWriter<Runner> writer = runners.writer()) {
                writer.insert(new Runner("a", "1", 30));
                writer.flush();
                writer.insert(new Runner("a", "2", 30));
                writer.insert(new Runner("a", "3", 30));
            }
            try (TableWriter<Runner> writer = runners.indexed(AGE).writer()) {
                writer.insertOrReplace(new Runner("a", "4", 30));
            }
        });
        assertThat(started.stream().filter(one -> !one.operation().equals("create")))
                .isNotEmpty()
                .extracting(Started::parent)
                .containsOnly("none");
    }

    @Test
    @DisplayName("an indexed write, a transaction and a commit with messages are one observation each")
    void wholeOperations() {
        runners.createIfMissing();
        orders.createIfMissing();
        IndexedTable<Runner> indexed = runners.indexed(AGE);
        started.clear();
        within("request", () -> indexed.insert(new Runner("a", "1", 30)));
        within("request", () -> runners.transaction("b")
                .insert(new Runner("b", "1", 1))
                .insert(new Runner("b", "2", 2))
                .commit());
        within("request", () -> runners.transaction("c")
                .insert(new Runner("c", "1", 1))
                .send(orders, "shirt")
                .commit());
        within("request", () -> indexed.transaction("d")
                .insert(new Runner("d", "1", 1))
                .send(orders, "shoes")
                .commit());
        until(() -> timed("deliver") == 2);
        assertThat(started.stream().filter(one -> !one.operation().equals("deliver")))
                .extracting(Started::operation, Started::resource, Started::parent)
                .containsExactly(
                        tuple("insert", "runners(a, 1)", "request"),
                        tuple("transaction", "runners(b) with 2 operations", "request"),
                        tuple("commit", "runners(c)", "request"),
                        tuple("commit", "runners(d)", "request"));
        assertThat(all("deliver")).hasSize(2).extracting(Started::parent).containsOnly("none");
        assertThat(timed("insert")).isOne();
        assertThat(timed("transaction")).isOne();
        assertThat(timed("commit")).isEqualTo(2);
    }

    @Test
    @DisplayName("the refresh behind a stale response has no parent")
    void refreshes() {
        runners.createIfMissing();
        runners.insert(new Runner("a", "1", 30));
        Freshness patient = Freshness.fresh(Duration.ofNanos(1)).staleWhileRevalidating(Duration.ofHours(1));
        Observation request = Observation.start("request", observations);
        for (int i = 0; i < 2; i++) {
            runners.cached(patient)
                    .reactive()
                    .find("a", "1")
                    .contextWrite(context -> context.put("micrometer.observation", request))
                    .block();
        }
        until(() -> timed("find") == 2);
        assertThat(all("find")).extracting(Started::parent).containsExactly("request", "none");
    }

    @Test
    @DisplayName("a transaction that waits for its partition has its own caller as parent")
    void waitingTransactions() {
        runners.createIfMissing();
        try (Stowline other = client(true)) {
            Table<Runner> table = other.table("runners", Runner.class);
            started.clear();
            Mono<?>[] ends = new Mono<?>[4];
            for (int i = 0; i < ends.length; i++) {
                int number = i;
                within(
                        "request-" + i,
                        () -> ends[number] = Mono.fromFuture(table.reactive()
                                .transaction("a")
                                .insert(new Runner("a", "1" + number, 1))
                                .insert(new Runner("a", "2" + number, 1))
                                .commit()
                                .toFuture()));
            }
            Mono.when(ends).block();
        }
        assertThat(started).extracting(Started::operation).containsOnly("transaction");
        assertThat(started)
                .extracting(Started::parent)
                .containsExactly("request-0", "request-1", "request-2", "request-3");
    }
}
