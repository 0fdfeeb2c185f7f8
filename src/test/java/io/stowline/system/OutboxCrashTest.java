package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import io.stowline.Stowline;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.ThrottledException;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Processes that end at each request of a transaction with messages, before it arrives and before its response does, and relays that end
 * likewise. The service's clock is the test's: a hint becomes visible when the test says.
 */
@Timeout(120)
class OutboxCrashTest {

    record Order(@PartitionKey String customer, @RowKey String number, int amount) {}

    private static final Order ORDER = new Order("ada", "1", 10);
    private static final Duration VISIBLE = Duration.ofMinutes(3);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** So many requests that a process with the settings of one that ends does not end. */
    private static final int MANY = 1_000;

    private final MovedClock clock = new MovedClock();
    private final MemoryStorage memory = MemoryStorage.create(clock);
    private final List<Stowline> opened = new ArrayList<>();
    private final Stowline observer = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();

    @AfterEach
    void close() {
        opened.forEach(Stowline::close);
        observer.close();
    }

    /** A process whose requests arrive up to a number: of the last one the request or the response is lost, of all later ones the request. */
    private final class Process {

        /** Waited for before a request, counted from 1. */
        private volatile BiFunction<Integer, HttpRequest, Mono<Void>> before = (number, request) -> Mono.empty();

        private final AtomicInteger arrived = new AtomicInteger();
        private final AtomicInteger left;
        private final boolean response;
        private final Stowline storage;

        Process(int requests, boolean response) {
            this(requests, response, Duration.ofSeconds(1));
        }

        Process(int requests, boolean response, Duration deadline) {
            this.left = new AtomicInteger(requests);
            this.response = response;
            HttpClient network = memory.httpClient();
            this.storage = Stowline.builder()
                    .connectionString(memory.connectionString())
                    .closeTimeout(Duration.ofMillis(200))
                    .retry(settings -> requests == Integer.MAX_VALUE ? settings.retries(0) : brief(settings, deadline))
                    .httpClient(request -> Mono.defer(() -> before.apply(arrived.incrementAndGet(), request))
                            .then(Mono.defer(() -> send(network, request))))
                    .build();
            opened.add(storage);
        }

        private Mono<com.azure.core.http.HttpResponse> send(HttpClient network, HttpRequest request) {
            int number = left.decrementAndGet();
            if (number > 0) {
                return network.send(request);
            }
            Mono<com.azure.core.http.HttpResponse> dead = Mono.error(new ConnectException("the process has ended"));
            return number == 0 && response
                    ? network.send(request).then(Mono.error(new IOException("the response is lost")))
                    : dead;
        }

        boolean ended() {
            return left.get() <= 0;
        }

        Table<Order> orders() {
            return storage.table("orders", Order.class);
        }

        MessageQueue<String> notes() {
            return storage.queue("notes").withEnvelope(e -> e);
        }

        MessageQueue<String> confirmations() {
            return storage.queue("confirmations").withEnvelope(e -> e);
        }
    }

    /** An ended process reads nothing back. */
    private static RetrySettings.Builder brief(RetrySettings.Builder settings, Duration deadline) {
        return settings.retries(0)
                .deadline(deadline)
                .attemptTimeout(deadline.multipliedBy(4).dividedBy(5))
                .minAttempt(Duration.ofMillis(1))
                .reserve(Duration.ZERO);
    }

    private Process alive() {
        return new Process(Integer.MAX_VALUE, false);
    }

    private static void await(BooleanSupplier condition) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - until)
                    .as("nanoseconds over the time")
                    .isNegative();
            ShortPause.park();
        }
    }

    /** Returns whether a relay has settled as many hints as were visible, or their sender has removed them, and no other one waits. */
    private boolean isDone(QueueConsumer relay, long hints) {
        QueueConsumer.Stats stats = relay.stats();
        long settled = stats.completed() + stats.retried() + stats.poisoned() + stats.released() + stats.lost();
        boolean over = settled >= hints || observer.queue("stowline-outbox").approximateCount() == 0;
        return over && stats.messagesInHand() == 0 && visibleHints() == 0;
    }

    /** Sends and waits for the end of what the client does after the commit. */
    private static boolean commits(Process process) {
        try {
            process.orders()
                    .transaction("ada")
                    .insert(ORDER)
                    .send(process.confirmations(), "first")
                    .send(process.confirmations(), "second", s -> s.timeToLive(Duration.ofDays(1)))
                    .commit();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Sends by the reactive faces. */
    private static boolean commitsReactively(Process process) {
        ReactiveMessageQueue<String> confirmations = process.confirmations().reactive();
        return Boolean.TRUE.equals(process.orders()
                .reactive()
                .transaction("ada")
                .insert(ORDER)
                .send(confirmations, "first")
                .send(confirmations, "second", s -> s.timeToLive(Duration.ofDays(1)))
                .commit()
                .thenReturn(true)
                .onErrorReturn(RuntimeException.class, false)
                .block());
    }

    private List<ReceivedMessage<String>> received(Process process) {
        List<ReceivedMessage<String>> all = new ArrayList<>();
        for (List<ReceivedMessage<String>> some = process.confirmations().receive(32);
                !some.isEmpty();
                some = process.confirmations().receive(32)) {
            all.addAll(some);
        }
        return all;
    }

    private long messagesInTable() {
        return new RawTable(memory).messages();
    }

    private void prepare() {
        Process first = alive();
        first.orders().createIfMissing();
        first.confirmations().createIfMissing();
        first.storage.queue("stowline-outbox").createIfMissing();
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    @DisplayName("OUTCOME-7: a process that ends at any request: each message is sent if the row is there, and never"
            + " without it")
    void atLeastOnceAndNeverWithoutTheRow(boolean response, boolean reactive) throws Exception {
        int steps = 0;
        for (int requests = 1; ; requests++) {
            memory.clear();
            prepare();
            Process process = new Process(requests, response);
            boolean committed = reactive ? commitsReactively(process) : commits(process);
            process.storage.close();
            boolean ended = process.ended();
            clock.pass(VISIBLE);

            relay();

            Process reader = alive();
            boolean there = reader.orders().find("ada", "1").isPresent();
            List<ReceivedMessage<String>> messages = received(reader);
            String step = "request " + requests + (response ? ", response lost" : ", request lost");
            assertThat(messages.stream().map(ReceivedMessage::body).distinct().sorted())
                    .as(step)
                    .containsExactlyElementsOf(there ? List.of("first", "second") : List.of());
            assertThat(messages.stream().map(ReceivedMessage::eventId).distinct())
                    .as("ids after " + step)
                    .hasSize(there ? 2 : 0);
            assertThat(messages.size()).as("copies after " + step).isLessThanOrEqualTo(there ? 3 : 0);
            if (committed) {
                assertThat(there).as(step).isTrue();
            }
            if (!ended) {
                assertThat(messages).hasSize(2);
                break;
            }
            steps++;
        }
        assertThat(steps)
                .as("hint, transaction, twice send and removal, and the removal of the hint")
                .isEqualTo(7);
    }

    /** Lets a process do all that it can when a relay is before one of its requests, and end there. */
    private static void pause(Process relay, BiPredicate<Integer, HttpRequest> request, Runnable meeting) {
        relay.before = (number, sent) -> request.test(number, sent)
                ? Mono.<Void>fromRunnable(meeting).subscribeOn(Schedulers.boundedElastic())
                : Mono.empty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    @DisplayName(
            "OUTCOME-7: a commit that arrives between any two requests of a relay, from a sender that ends at any later"
                    + " request, loses no message and leaves no row")
    void lateCommits(int request) throws Exception {
        for (int requests = 3; requests <= 8; requests++) {
            for (boolean ends : new boolean[] {false, true}) {
                memory.clear();
                prepare();
                CompletableFuture<Void> gate = new CompletableFuture<>();
                Process sender = new Process(requests, false, PATIENCE);
                sender.before = (number, sent) -> number == 2 ? Mono.fromFuture(gate, true) : Mono.empty();
                CompletableFuture<Boolean> commit = CompletableFuture.supplyAsync(() -> commits(sender));
                await(() -> sender.arrived.get() == 2);
                clock.pass(VISIBLE);

                AtomicBoolean met = new AtomicBoolean();
                Process mortal = new Process(ends ? request + 1 : MANY, false, PATIENCE);
                pause(mortal, (number, sent) -> number == request, () -> {
                    gate.complete(null);
                    commit.join();
                    sender.storage.close();
                    met.set(true);
                });
                long hints = visibleHints();
                QueueConsumer relay = mortal.storage.outbox().relay();
                await(() -> mortal.ended() || (met.get() && isDone(relay, hints)));
                mortal.storage.close();

                String step = "relay before " + request + ", sender ends at " + requests + ", relay ends " + ends;
                clock.pass(VISIBLE.multipliedBy(2));
                relay();
                assertSent(step);
                clock.pass(Duration.ofDays(8));
                relay();
                assertThat(messagesInTable()).as(step).isZero();
                assertThat(alive().storage.queue("stowline-outbox").approximateCount())
                        .as(step)
                        .isZero();
                opened.forEach(Stowline::close);
                opened.clear();
            }
        }
    }

    private void assertSent(String step) {
        Process reader = alive();
        boolean there = reader.orders().find("ada", "1").isPresent();
        assertThat(received(reader).stream()
                        .map(ReceivedMessage::body)
                        .distinct()
                        .sorted())
                .as(step)
                .containsExactlyElementsOf(there ? List.of("first", "second") : List.of());
    }

    @Test
    @DisplayName("OUTCOME-7: a fence in the place of a message that was sent keeps no other message of its transaction")
    void fenceBesideMessages() throws Exception {
        prepare();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        Process sender = new Process(5, false, PATIENCE);
        sender.before = (number, sent) -> number == 2 ? Mono.fromFuture(gate, true) : Mono.empty();
        CompletableFuture<Boolean> commit = CompletableFuture.supplyAsync(() -> commits(sender));
        await(() -> sender.arrived.get() == 2);
        clock.pass(VISIBLE);
        Process reader = alive();
        pause(reader, (number, sent) -> sent.getUrl().getPath().endsWith("/orders"), () -> {
            gate.complete(null);
            assertThat(commit.join()).isTrue();
            sender.storage.close();
            assertThat(messagesInTable()).isEqualTo(1);
        });

        try (QueueConsumer relay = reader.storage.outbox().relay()) {
            await(() -> relay.stats().completed() == 1);
        }

        assertSent("without the clock's move");
        assertThat(messagesInTable()).as("the fence goes, too").isZero();
        assertThat(reader.storage.queue("stowline-outbox").approximateCount()).isZero();
    }

    private static boolean commitsToTwoQueues(Process process) {
        try {
            process.orders()
                    .transaction("ada")
                    .insert(ORDER)
                    .send(process.confirmations(), "first")
                    .send(process.notes(), "second")
                    .send(process.confirmations(), "third")
                    .commit();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, MANY})
    @DisplayName("OUTCOME-7: a missing queue keeps no message to another queue, of the sender and of the relay")
    void oneQueueIsMissing(int requests) throws Exception {
        prepare();
        Process reader = alive();
        reader.notes().createIfMissing();
        reader.confirmations().drop();
        Process sender = new Process(requests, false, PATIENCE);
        assertThat(commitsToTwoQueues(sender)).isTrue();
        sender.storage.close();

        if (requests == 3) {
            clock.pass(VISIBLE);
            try (QueueConsumer relay = reader.storage.outbox().relay()) {
                await(() -> relay.stats().released() == 1);
            }
        }
        assertThat(reader.notes().receive(32)).extracting(ReceivedMessage::body).containsExactly("second");
        assertThat(reader.storage.queue("stowline-outbox").approximateCount()).isEqualTo(1);

        reader.confirmations().create();
        clock.pass(VISIBLE);
        relay();
        assertThat(received(reader)).extracting(ReceivedMessage::body).containsExactlyInAnyOrder("first", "third");
        assertThat(messagesInTable()).isZero();
    }

    @Test
    @DisplayName(
            "OUTCOME-7: a message that is refused for its content keeps no other message, and goes out after a redrive")
    void oneMessageIsRefused() throws Exception {
        prepare();
        Process reader = alive();
        reader.notes().createIfMissing();
        assertThat(commitsToTwoQueues(new Process(3, false, PATIENCE))).isTrue();
        memory.refuseNext("POST", "/confirmations/messages", 400, "InvalidXmlDocument");
        clock.pass(VISIBLE);

        relay();

        assertThat(reader.notes().receive(32)).extracting(ReceivedMessage::body).containsExactly("second");
        assertThat(received(reader)).extracting(ReceivedMessage::body).containsExactly("third");
        assertThat(messagesInTable()).isEqualTo(1);
        MessageQueue<String> hints = reader.storage.queue("stowline-outbox").withEnvelope(e -> e);
        assertThat(hints.poison().redrive(m -> true)).isEqualTo(1);
        relay();
        assertThat(received(reader)).extracting(ReceivedMessage::body).contains("first");
        assertThat(messagesInTable()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "400, InvalidInput, 0",
        "403, AuthorizationFailure, 0",
        "404, TableNotFound, 0",
        "413, RequestBodyTooLarge, 0",
        "500, InternalError, 1"
    })
    @DisplayName("OUTCOME-7: a transaction that is refused as a whole leaves no hint")
    void refused(int status, String code, int hints) {
        prepare();
        Process sender = new Process(MANY, false, Duration.ofSeconds(1));
        memory.refuseNext("POST", "/$batch", status, code);

        assertThat(commits(sender)).isFalse();
        sender.storage.close();

        assertThat(alive().storage.queue("stowline-outbox").approximateCount()).isEqualTo(hints);
    }

    /** Runs a relay until nothing waits. */
    private void relay() {
        long hints = visibleHints();
        Process process = alive();
        try (QueueConsumer relay = process.storage.outbox().relay()) {
            await(() -> isDone(relay, hints));
        }
    }

    private long visibleHints() {
        return observer.queue("stowline-outbox").peek(32).size();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("OUTCOME-7: a relay that ends at any request leaves the message to the next one")
    void relaysEnd(boolean response) throws Exception {
        for (int requests = 1; requests <= 9; requests++) {
            memory.clear();
            prepare();
            Process sender = new Process(3, false);
            commits(sender);
            clock.pass(VISIBLE);

            Process mortal = new Process(requests, response);
            QueueConsumer relay = mortal.storage.outbox().relay();
            await(() -> mortal.ended() || (visibleHints() == 0 && relay.stats().completed() > 0));
            mortal.storage.close();
            clock.pass(VISIBLE);
            relay();

            List<ReceivedMessage<String>> messages = received(alive());
            assertThat(messages.stream().map(ReceivedMessage::body).distinct().sorted())
                    .as("request " + requests)
                    .containsExactly("first", "second");
            assertThat(messages.stream().map(ReceivedMessage::eventId).distinct())
                    .hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "OUTCOME-7: a relay that ends at any request for a message to a missing queue, and one that is refused")
    void relaysEndBesideFailures(boolean response) throws Exception {
        boolean ended = true;
        for (int requests = 1; ended; requests++) {
            memory.clear();
            prepare();
            alive().notes().createIfMissing();
            commitsToTwoQueues(new Process(3, false, PATIENCE));
            alive().confirmations().drop();
            clock.pass(VISIBLE);
            memory.refuseNext("POST", "/notes/messages", 400, "InvalidXmlDocument");

            Process mortal = new Process(requests, response, PATIENCE);
            QueueConsumer relay = mortal.storage.outbox().relay();
            await(() -> mortal.ended() || relay.stats().released() == 1);
            ended = mortal.ended();
            mortal.storage.close();
            alive().confirmations().create();
            clock.pass(VISIBLE);
            relay();
            alive().storage.queue("stowline-outbox-poison").createIfMissing();
            alive().storage
                    .queue("stowline-outbox")
                    .withEnvelope(e -> e)
                    .poison()
                    .redrive(m -> true);
            relay();

            String step = "request " + requests;
            assertThat(received(alive()))
                    .as(step)
                    .extracting(ReceivedMessage::body)
                    .contains("first", "third");
            assertThat(alive().notes().receive(32).stream().map(ReceivedMessage::body))
                    .as(step)
                    .contains("second");
            assertThat(messagesInTable()).as(step).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("OUTCOME-7: a relay that ends at any request of a fence, when it puts it and when it removes it")
    void relaysEndAtTheFence(boolean response) throws Exception {
        boolean ended = true;
        for (int requests = 1; ended; requests++) {
            memory.clear();
            prepare();
            commits(new Process(2, false));
            assertThat(messagesInTable()).isZero();
            ended = false;
            for (Duration until : List.of(VISIBLE, Duration.ofDays(8))) {
                clock.pass(until);
                Process mortal = new Process(requests, response, PATIENCE);
                QueueConsumer relay = mortal.storage.outbox().relay();
                await(() ->
                        mortal.ended() || (visibleHints() == 0 && relay.stats().messagesInHand() == 0));
                ended |= mortal.ended();
                mortal.storage.close();
            }
            for (int weeks = 0; weeks < 3; weeks++) {
                clock.pass(Duration.ofDays(8));
                relay();
            }

            String step = "request " + requests;
            assertThat(messagesInTable()).as(step).isZero();
            assertThat(alive().storage.queue("stowline-outbox").approximateCount())
                    .as(step)
                    .isZero();
            assertThat(received(alive())).as(step).isEmpty();
        }
    }

    @Test
    @DisplayName("OUTCOME-7: 40 seeded lives of senders and relays: at least once, never without the row")
    void seeded() throws Exception {
        Random random = new Random(42);
        for (int seed = 0; seed < 40; seed++) {
            memory.clear();
            prepare();
            commits(new Process(1 + random.nextInt(8), random.nextBoolean()));
            for (int relays = random.nextInt(3); relays > 0; relays--) {
                clock.pass(VISIBLE);
                Process mortal = new Process(1 + random.nextInt(8), random.nextBoolean());
                QueueConsumer relay = mortal.storage.outbox().relay();
                await(() ->
                        mortal.ended() || (visibleHints() == 0 && relay.stats().messagesInHand() == 0));
                mortal.storage.close();
            }
            clock.pass(VISIBLE.multipliedBy(2));
            relay();
            Process reader = alive();
            boolean there = reader.orders().find("ada", "1").isPresent();
            assertThat(received(reader).stream()
                            .map(ReceivedMessage::body)
                            .distinct()
                            .sorted())
                    .as("seed " + seed)
                    .containsExactlyElementsOf(there ? List.of("first", "second") : List.of());
            opened.forEach(Stowline::close);
            opened.clear();
        }
    }

    @Test
    @DisplayName(
            "OUTCOME-7: a transaction that comes after its hint was visible is refused, and its message not lost in"
                    + " silence")
    void fenced() throws Exception {
        prepare();
        Process slow = alive();
        AtomicInteger fences = new AtomicInteger();
        Stowline storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .retry(r -> r.retries(0))
                .httpClient(request -> Mono.defer(() -> {
                    if (request.getUrl().getPath().endsWith("$batch")) {
                        clock.pass(VISIBLE);
                        return Mono.fromCallable(() -> {
                                    relay();
                                    fences.incrementAndGet();
                                    return request;
                                })
                                .subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic())
                                .flatMap(memory.httpClient()::send);
                    }
                    return memory.httpClient().send(request);
                }))
                .build();
        opened.add(storage);

        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> storage.table("orders", Order.class)
                        .transaction("ada")
                        .insert(ORDER)
                        .send(storage.queue("confirmations"), "first")
                        .commit()))
                .isInstanceOf(io.stowline.error.TransactionFailedException.class)
                .hasMessageContaining("~stowline-outbox~");

        assertThat(fences).hasValue(1);
        assertThat(slow.orders().find("ada", "1")).isEmpty();
        assertThat(slow.orders().query().list()).isEmpty();
        assertThat(messagesInTable()).as("the fence").isEqualTo(1);
        clock.pass(Duration.ofDays(6));
        assertThat(slow.storage.queue("stowline-outbox").peek(32)).isEmpty();
        clock.pass(Duration.ofDays(1).plus(VISIBLE));
        relay();
        assertThat(messagesInTable()).isZero();
        assertThat(slow.storage.queue("stowline-outbox").approximateCount()).isZero();
        assertThat(received(slow)).isEmpty();
    }

    @Test
    @DisplayName(
            "OUTCOME-7: rows that wait are no entities of queries, counts and deletions, and the queue that comes back"
                    + " gets their messages")
    void queueGone() throws Exception {
        prepare();
        Process process = alive();
        process.confirmations().drop();
        assertThat(commits(process)).isTrue();
        await(() -> memory.requests().stream().anyMatch(request -> request.contains("/confirmations/messages")));

        assertThat(messagesInTable()).isEqualTo(2);
        assertThat(process.orders().query().partition("ada").list()).containsExactly(ORDER);
        assertThat(process.storage.table("orders").query().list())
                .extracting(Entity::rowKey)
                .containsExactly("1");
        assertThat(process.orders().query().partition("ada").deleteAll().deleted())
                .isEqualTo(1);
        assertThat(messagesInTable()).isEqualTo(2);

        process.storage.queue("stowline-outbox").clear();
        process.confirmations().create();
        assertThat(process.storage.outbox().recover("orders")).isEqualTo(1);
        relay();

        assertThat(messagesInTable()).isZero();
        assertThat(received(process)).extracting(ReceivedMessage::body).containsExactlyInAnyOrder("first", "second");
    }

    @Test
    @DisplayName(
            "OUTCOME-7: a message goes out with its transaction in five requests, without a relay, and wakes consumers")
    void fastPath() throws Exception {
        prepare();
        Process process = alive();
        int before = memory.requests().size();

        process.orders()
                .transaction("ada")
                .insert(ORDER)
                .send(process.confirmations(), "first")
                .commit();
        process.storage.close();

        assertThat(memory.requests().subList(before, memory.requests().size()))
                .extracting(request -> request.replaceFirst("\\?.*|[(].*", "").replaceAll("messages/.*", "messages/m"))
                .containsExactly(
                        "POST /stowline-outbox/messages",
                        "POST /$batch",
                        "POST /confirmations/messages",
                        "DELETE /orders",
                        "DELETE /stowline-outbox/messages/m");
        assertThat(messagesInTable()).isZero();
        assertThat(received(alive())).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @DisplayName("RETRY-8: an interrupted commit says what went out: a hint alone changes no entity")
    void interrupted(int request) throws Exception {
        prepare();
        Process process = new Process(MANY, false, PATIENCE);
        process.before = (number, sent) -> number == request ? Mono.never() : Mono.empty();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread caller = new Thread(() -> end.complete(catchThrowable(() -> process.orders()
                .transaction("ada")
                .insert(ORDER)
                .send(process.confirmations(), "first")
                .commit())));
        caller.start();
        await(() -> process.arrived.get() == request);
        caller.interrupt();

        assertThat(end.get(30, TimeUnit.SECONDS))
                .isInstanceOf(StorageInterruptedException.class)
                .hasMessageContaining(
                        request == 1
                                ? "no request had gone out that may have been applied: send stowline-outbox"
                                : "a request had gone out, and may have been applied: transaction orders(ada)");
    }

    @Test
    @DisplayName("OUTCOME-7: a client that closes leaves what waits for a queue without responses to the relay")
    void closes() throws Exception {
        prepare();
        Process sender = new Process(MANY, false, PATIENCE);
        sender.before =
                (number, sent) -> sent.getUrl().getPath().contains("/confirmations/") ? Mono.never() : Mono.empty();
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            sender.orders()
                    .transaction("c" + i)
                    .insert(new Order("c" + i, "1", i))
                    .send(sender.confirmations(), "m" + i)
                    .commit();
            bodies.add("m" + i);
        }
        long begun = System.nanoTime();
        sender.storage.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE.dividedBy(2));
        assertThat(messagesInTable()).isEqualTo(30);

        clock.pass(VISIBLE);
        relay();

        assertThat(received(alive())).extracting(ReceivedMessage::body).containsExactlyInAnyOrderElementsOf(bodies);
        assertThat(messagesInTable()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-7: the first hint makes its queue, also after a lost response")
    void missingHints() {
        prepare();
        Process process = alive();
        process.storage.queue("stowline-outbox").drop();
        memory.loseNextResponse("POST", "/stowline-outbox/messages");
        Stowline retrying = Stowline.builder()
                .connectionString(memory.connectionString())
                .retry(r -> r.backoff(Backoff.fixed(Duration.ofMillis(1))))
                .httpClient(memory.httpClient())
                .build();
        opened.add(retrying);

        retrying.table("orders", Order.class)
                .transaction("ada")
                .insert(ORDER)
                .send(retrying.queue("confirmations").withEnvelope(e -> e), "first")
                .commit();
        retrying.close();

        assertThat(received(alive())).hasSize(1);
        assertThat(process.storage.queue("stowline-outbox").exists()).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-7: without a hint nothing is committed, and the failure has the settings of the table")
    void noHint() {
        prepare();
        Process process = alive();
        memory.refuseNext("POST", "/stowline-outbox/messages", 503, "ServerBusy");
        int before = memory.requests().size();

        assertThatExceptionOfType(ThrottledException.class)
                .isThrownBy(() -> process.orders()
                        .withRetry(r -> r.retries(0))
                        .transaction("ada")
                        .insert(ORDER)
                        .send(process.confirmations(), "first")
                        .commit())
                .withMessageContaining("send stowline-outbox")
                .withMessageContaining("attempts 1");

        assertThat(memory.requests()).hasSize(before + 1);
    }

    /** The rows as they stand in the table. */
    private record RawTable(MemoryStorage memory) {

        long messages() {
            String url = "https://" + memory.connectionString().replaceFirst(".*TableEndpoint=https://([^;]*);.*", "$1")
                    + "/orders()";
            HttpRequest request = new HttpRequest(com.azure.core.http.HttpMethod.GET, url)
                    .setHeader(com.azure.core.http.HttpHeaderName.ACCEPT, "application/json;odata=nometadata");
            String body = memory.httpClient()
                    .send(request)
                    .flatMap(com.azure.core.http.HttpResponse::getBodyAsString)
                    .block();
            return ("" + body).split("~stowline-outbox~", -1).length - 1L;
        }
    }
}
