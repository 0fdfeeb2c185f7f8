package io.stowline.table.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.CapturedLog;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.internal.QueueService;
import io.stowline.queue.internal.client.DefaultMessageQueue;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.table.ScanPolicy;
import io.stowline.table.internal.codec.OutboxKey;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.write.TransactionOutbox.PlannedMessage;
import io.stowline.table.internal.writer.TableService;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.SharedKeyCredential;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.netty.HttpSettings;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.RequestIds;
import io.stowline.transport.internal.request.ServiceVersion;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Commits beside deliveries to a queue that responds late or not at all, in virtual time. */
class OutboxLoadTest {

    private static final Duration QUICK = Duration.ofMillis(20);
    private static final int COMMITS = 200;

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final MemoryStorage memory = MemoryStorage.create(new VirtualClock(time));
    private final String name = memory.connectionString().replaceFirst("AccountName=([^;]*);.*", "$1");
    private final List<Duration> latencies = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final Set<String> committed = new TreeSet<>();
    private @Nullable ServiceState state;

    /** Gives the latency of the queues of messages; {@code null} for no response. */
    private @Nullable Duration target = QUICK;

    /** A clock that shows virtual time. */
    private static final class VirtualClock extends Clock {

        private final VirtualTimeScheduler time;

        VirtualClock(VirtualTimeScheduler time) {
            this.time = time;
        }

        @Override
        public Instant instant() {
            return Bench.START.plusMillis(time.now(TimeUnit.MILLISECONDS));
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    /** One process. */
    private final class Client implements StowlineListener {

        final ClientRuntime runtime;
        final ConsumerRegistry consumers;
        final TableService tables;
        final ClientOutbox outbox;

        Client(ParallelismSettings parallelism) {
            StorageAccount account = new StorageAccount(
                    name,
                    new SharedKeyCredential(new AzureNamedKeyCredential(name, Bench.KEY)),
                    Map.of(
                            Service.TABLE, URI.create("https://" + name + ".table.test"),
                            Service.QUEUE, URI.create("https://" + name + ".queue.test")));
            ClientSettings settings = new ClientSettings(
                    RetrySettings.defaults(),
                    ClientSettings.ClientBounds.DEFAULT.with(parallelism),
                    HttpSettings.DEFAULT,
                    Runnable::run,
                    this,
                    ReadFrom.PRIMARY,
                    null,
                    UnresolvedAttempts.TOLERANCE,
                    ServiceVersion.DEFAULT);
            HttpClient wire = OutboxLoadTest.this::send;
            runtime = new ClientRuntime(
                    account,
                    settings,
                    HttpWire.silent(wire),
                    new TimeSources(time, () -> Long.MIN_VALUE, new VirtualClock(time)),
                    Runnable::run);
            consumers = new ConsumerRegistry(name, new QueueService(account, runtime, settings.retry()), runtime, null);
            tables = new TableService(account, runtime, settings.retry(), ScanPolicy.ALLOW);
            outbox = new ClientOutbox(consumers);
            tables.connect(outbox);
        }

        @Override
        public void onServiceOpened(ServiceState opened) {
            if (opened.service().equals("queue")) {
                state = opened;
            }
        }

        QueueConsumer relay() {
            return new DefaultReactiveOutbox(tables, outbox).relay();
        }

        /** Commits a row of the outbox as its whole transaction. */
        void commit(String queue, String body) {
            commit(List.of(queue), body);
        }

        /** Commits the rows of messages to several queues. */
        void commit(List<String> queues, String body) {
            TableOperations table = tables.table("orders");
            String id = RequestIds.next();
            List<PlannedMessage> messages = new ArrayList<>();
            for (String queue : queues) {
                MessageQueue<String> to = DefaultMessageQueue.of(consumers, queue, String.class);
                messages.add(outbox.message(table, "p", new OutboxKey(id, messages.size()), to, body, s -> s));
            }
            long begun = time.now(TimeUnit.MILLISECONDS);
            Mono<List<WriteResult>> commit = outbox.commit(table, "p", messages, rows -> Flux.fromIterable(rows)
                    .concatMap(table::write)
                    .collectList());
            commit.subscribe(
                    done -> {
                        latencies.add(Duration.ofMillis(time.now(TimeUnit.MILLISECONDS) - begun));
                        committed.add(body);
                    },
                    failures::add);
        }
    }

    private Mono<HttpResponse> send(HttpRequest request) {
        String path = request.getUrl().getPath();
        Duration latency = path.startsWith("/late") ? target : QUICK;
        Mono<HttpResponse> response = Mono.defer(() -> memory.httpClient().send(request));
        return latency == null ? Mono.never() : Mono.delay(latency, time).then(response);
    }

    private void prepare(Client client, String... queues) {
        client.tables.table("orders").create().subscribe();
        client.consumers.queue(HintQueue.NAME).createIfMissing().subscribe();
        for (String queue : queues) {
            client.consumers.queue(queue).createIfMissing().subscribe();
        }
        time.advanceTimeBy(Duration.ofSeconds(1));
    }

    private void commits(Client client, Duration apart, String... queues) {
        for (int i = 0; i < COMMITS; i++) {
            client.commit(queues[i % queues.length], "m" + i);
            time.advanceTimeBy(apart);
        }
    }

    private Set<String> arrived(Client client, String queue) {
        Set<String> bodies = new TreeSet<>();
        boolean[] more = {true};
        while (more[0]) {
            more[0] = false;
            client.consumers
                    .queue(queue)
                    .receive(32, Duration.ofHours(1))
                    .subscribe(all -> all.forEach(message -> {
                        more[0] = true;
                        bodies.add(new String(
                                Base64.getDecoder().decode(message.view().raw()), StandardCharsets.UTF_8));
                    }));
            time.advanceTimeBy(Duration.ofSeconds(1));
        }
        return bodies;
    }

    private void assertFree() {
        ServiceState queues = Objects.requireNonNull(state);
        assertThat(queues.permitsInUse()).isZero();
        assertThat(queues.permitsWaiting()).isZero();
    }

    private void assertQuick(Duration longest) {
        time.advanceTimeBy(Duration.ofSeconds(2));
        assertThat(failures).isEmpty();
        assertThat(latencies).hasSize(COMMITS);
        assertThat(Collections.max(latencies)).isLessThanOrEqualTo(longest);
    }

    private static ParallelismSettings parallelism(int permits) {
        return permits == 0 ? ParallelismSettings.adaptive() : ParallelismSettings.fixed(permits);
    }

    @ParameterizedTest(name = "{0} permits, {1} ms")
    @CsvSource({"0, 3000", "0, 0", "2, 3000", "2, 0", "8, 3000", "8, 0", "64, 3000", "64, 0"})
    @DisplayName(
            "OUTCOME-7, PERMIT-4: a queue that responds late or not at all makes no commit wait, and gets all messages"
                    + " once it responds")
    void lateTarget(int permits, long millis) {
        Client client = new Client(parallelism(permits));
        prepare(client, "late");
        QueueConsumer relay = client.relay();
        target = millis == 0 ? null : Duration.ofMillis(millis);

        commits(client, Duration.ofMillis(50), "late");
        assertQuick(Duration.ofMillis(150));

        target = QUICK;
        time.advanceTimeBy(Duration.ofMinutes(15));
        assertFree();
        assertThat(arrived(client, "late")).isEqualTo(committed).hasSize(COMMITS);
        assertThat(relay.stats().poisoned()).isZero();
        client.commit("late", "next");
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(arrived(client, "late")).containsExactly("next");
    }

    @ParameterizedTest
    @CsvSource({"3000", "0"})
    @DisplayName("OUTCOME-7: with one permit a hint waits for one delivery at most, which makes room after a second")
    void onePermit(long millis) {
        Client client = new Client(ParallelismSettings.fixed(1));
        prepare(client, "late");
        target = millis == 0 ? null : Duration.ofMillis(millis);

        commits(client, Duration.ofMillis(1_500), "late");
        assertQuick(Duration.ofMillis(1_200));

        target = QUICK;
        QueueConsumer relay = client.relay();
        time.advanceTimeBy(Duration.ofMinutes(15));
        assertFree();
        assertThat(arrived(client, "late")).isEqualTo(committed).hasSize(COMMITS);
        assertThat(relay.stats().poisoned()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-7: a queue without responses keeps no message to another queue")
    void otherTargets() {
        Client client = new Client(ParallelismSettings.fixed(4));
        prepare(client, "late", "notes");
        target = null;

        commits(client, Duration.ofMillis(50), "late", "notes");
        assertQuick(Duration.ofMillis(150));

        assertThat(arrived(client, "notes")).hasSize(COMMITS / 2);
    }

    @Test
    @DisplayName("OUTCOME-7: a message does not wait for one of its transaction to a queue without responses")
    void besideALateTarget() {
        Client client = new Client(ParallelismSettings.fixed(32));
        prepare(client, "late", "notes");
        target = null;

        for (int i = 0; i < 10; i++) {
            client.commit(List.of("late", "notes", "late", "notes"), "m" + i);
        }
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(arrived(client, "notes")).hasSize(10);
        assertThat(memory.requests().stream().filter(sent -> sent.startsWith("POST") && sent.contains("/notes/")))
                .hasSize(20);
    }

    @Test
    @DisplayName("OUTCOME-7: above its room a client leaves messages to the relay, which sends them")
    void room() {
        Client client = new Client(ParallelismSettings.fixed(64));
        prepare(client, "late");
        target = Duration.ofSeconds(9);
        for (int i = 0; i < DeliveryRoom.MAX_TO_QUEUE + 100; i++) {
            client.commit("late", "m" + i);
        }
        time.advanceTimeBy(Duration.ofMinutes(2));
        assertThat(failures).isEmpty();
        target = QUICK;
        assertThat(arrived(client, "late")).hasSizeLessThanOrEqualTo(DeliveryRoom.MAX_TO_QUEUE);

        QueueConsumer relay = client.relay();
        assertThat(Objects.requireNonNull(state).relaysRunning()).isEqualTo(1);
        time.advanceTimeBy(Duration.ofMinutes(10));
        assertThat(arrived(client, "late")).hasSizeGreaterThanOrEqualTo(100);
        assertThat(relay.stats().completed()).isGreaterThanOrEqualTo(100);
        assertThat(relay.stats().poisoned()).isZero();
        assertFree();
    }

    private static long warnings(CapturedLog log) {
        return log.text().lines().filter(line -> line.contains("WARN")).count();
    }

    @Test
    @DisplayName("OUTCOME-7: a relay makes the queue of hints if it is missing, without a warning")
    void freshAccount() {
        Client client = new Client(ParallelismSettings.fixed(4));
        try (CapturedLog log = new CapturedLog("io.stowline.queue.internal.consumer.polling.QueuePoller")) {
            QueueConsumer relay = client.relay();
            time.advanceTimeBy(Duration.ofMinutes(2));
            assertThat(warnings(log)).isZero();
            assertThat(memory.requests().stream().filter(sent -> sent.startsWith("PUT ")))
                    .hasSize(1)
                    .allMatch(sent -> sent.contains(HintQueue.NAME));

            prepare(client, "notes");
            client.consumers.queue(HintQueue.NAME).delete().subscribe();
            time.advanceTimeBy(Duration.ofMinutes(2));
            client.commit("notes", "first");
            time.advanceTimeBy(Duration.ofSeconds(1));
            assertThat(arrived(client, "notes")).containsExactly("first");
            assertThat(warnings(log)).isZero();
            assertThat(relay.isPaused()).isFalse();
        }
    }

    @Test
    @DisplayName(
            "a client without a relay warns once in ten minutes if messages wait for one, and a client with a relay"
                    + " does not")
    void warns() {
        Client client = new Client(ParallelismSettings.fixed(4));
        prepare(client);
        try (CapturedLog log = new CapturedLog(ClientOutbox.class.getName())) {
            client.commit("missing", "secret");
            client.commit("missing", "secret");
            time.advanceTimeBy(Duration.ofMinutes(1));
            assertThat(warnings(log)).isEqualTo(1);
            assertThat(log.text())
                    .contains("orders wait for a relay, and this client runs none", "send missing")
                    .doesNotContain("secret");

            time.advanceTimeBy(Duration.ofMinutes(10));
            client.commit("missing", "secret");
            time.advanceTimeBy(Duration.ofMinutes(1));
            assertThat(warnings(log)).isEqualTo(2);

            time.advanceTimeBy(Duration.ofMinutes(10));
            QueueConsumer relay = client.relay();
            client.commit("missing", "secret");
            time.advanceTimeBy(Duration.ofSeconds(1));
            assertThat(log.text().lines().filter(line -> line.contains("this client runs none")))
                    .hasSize(2);
            assertThat(relay.isPaused()).isFalse();
        }
    }

    @Test
    @DisplayName("the room for messages has a bound, and half of it for one queue, and is given back")
    void bounds() {
        DeliveryRoom room = new DeliveryRoom();
        List<OutboxRow> toOne = Collections.nCopies(100, row("one"));
        List<OutboxRow> mixed = List.of(row("one"), row("two"));
        for (int i = 0; i < 5; i++) {
            assertThat(room.enter(toOne)).isTrue();
        }
        assertThat(room.enter(mixed)).as("one queue is full").isFalse();
        for (int i = 0; i < 5; i++) {
            assertThat(room.enter(Collections.nCopies(100, row("q" + i)))).isTrue();
        }
        assertThat(room.enter(List.of(row("three")))).as("all is full").isFalse();
        room.leave(toOne);
        assertThat(room.enter(mixed)).isTrue();
        assertThat(room.enter(toOne)).isFalse();
        room.leave(mixed);
        assertThat(room.enter(toOne)).isTrue();
    }

    private static OutboxRow row(String queue) {
        return new OutboxRow("p", "r", queue, "text", null, null);
    }
}
