package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.blob.BlobContainer;
import io.stowline.error.ClosedException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** After the close of a client no call waits: each one ends, wherever its pause was. */
@Timeout(40)
class WaitsAtCloseTest {

    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path folder;

    private final MemoryStorage memory = MemoryStorage.create();
    private final AtomicBoolean broken = new AtomicBoolean();
    private final AtomicInteger sent = new AtomicInteger();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private Stowline storage;

    @AfterEach
    void close() {
        closed();
        threads.forEach(Thread::interrupt);
    }

    /** Closing shows the failures of a writer that no caller took. */
    private void closed() {
        Throwable failures = catchThrowable(storage::close);
        assertThat(failures == null || failures instanceof UncollectedFailuresException)
                .as("%s", failures)
                .isTrue();
    }

    /** Each pause is longer than the test. */
    private void connect(HttpClient http) {
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(request -> {
                    sent.incrementAndGet();
                    return broken.get()
                            ? http.send(request)
                            : memory.httpClient().send(request);
                })
                .retry(retry -> retry.retries(9)
                        .backoff(Backoff.fixed(Duration.ofMinutes(10)))
                        .attemptTimeout(HOUR)
                        .deadline(HOUR.multipliedBy(9)))
                .closeTimeout(Duration.ofMillis(200))
                .build();
    }

    /** Runs a call on a thread that only this test has. */
    private CompletableFuture<String> start(String name, EveryVerb.Verb verb) {
        CompletableFuture<String> end = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        verb.call();
                        end.complete(name + " succeeded");
                    } catch (Throwable e) {
                        end.complete(name + " ended with " + e);
                    }
                },
                "call of " + name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return end;
    }

    private void awaitSent(int requests) {
        while (sent.get() < requests) {
            LockSupport.parkNanos(100_000);
        }
    }

    /** Waits until each call has ended or waits, and sends nothing. Calls that the close meets earlier have to end as well. */
    private void awaitPauses() {
        int before = -1;
        for (int quiet = 0; quiet < 20; quiet++) {
            int now = sent.get();
            if (now != before || !threads.stream().allMatch(WaitsAtCloseTest::waits)) {
                before = now;
                quiet = 0;
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean waits(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED -> true;
            case NEW, RUNNABLE, BLOCKED -> false;
        };
    }

    private static Mono<HttpResponse> unreachable(HttpRequest request) {
        return Mono.error(new ConnectException("no network in this test"));
    }

    private static Mono<HttpResponse> lost(HttpRequest request) {
        return Mono.error(new IOException("connection reset"));
    }

    private static Mono<HttpResponse> silent(HttpRequest request) {
        return Mono.never();
    }

    static Stream<Arguments> outages() {
        return Stream.of(
                Arguments.of("unreachable", (HttpClient) WaitsAtCloseTest::unreachable),
                Arguments.of("lost responses", (HttpClient) WaitsAtCloseTest::lost),
                Arguments.of("silent", (HttpClient) WaitsAtCloseTest::silent));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outages")
    @DisplayName("each verb ends with the client, in whatever pause it is")
    void everyVerb(String outage, HttpClient http) throws Exception {
        connect(http);
        broken.set(true);
        Map<String, EveryVerb.Verb> verbs = new LinkedHashMap<>();
        EveryVerb.ofTables(storage).forEach((name, verb) -> verbs.put("table " + name, verb));
        EveryVerb.ofQueues(storage).forEach((name, verb) -> verbs.put("queue " + name, verb));
        EveryVerb.ofBlobs(storage, folder).forEach((name, verb) -> verbs.put("blob " + name, verb));
        Map<String, CompletableFuture<String>> ends = new LinkedHashMap<>();
        verbs.forEach((name, verb) -> ends.put(name, start(name, verb)));
        awaitSent(20);
        awaitPauses();
        assertThat(ends.values().stream().filter(end -> !end.isDone()).count()).isGreaterThan(verbs.size() / 2);
        closed();

        CompletableFuture.allOf(ends.values().toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, 20, TimeUnit.SECONDS)
                .join();
        assertThat(ends.entrySet().stream()
                        .filter(end -> !end.getValue().isDone())
                        .map(Map.Entry::getKey))
                .as("calls that wait after the close, " + outage)
                .isEmpty();
    }

    private void ends(CompletableFuture<String> call) throws Exception {
        storage.close();
        assertThat(call.get(20, TimeUnit.SECONDS))
                .contains("ended with")
                .contains(ClosedException.class.getSimpleName());
    }

    private Table<Entity> contended() {
        connect(request -> request.getHttpMethod() == HttpMethod.GET
                ? memory.httpClient().send(request)
                : Mono.defer(() -> {
                    memory.refuseNext("PUT", "/people", 412, "UpdateConditionNotSatisfied");
                    return memory.httpClient().send(request);
                }));
        Table<Entity> people = storage.table("people");
        people.create();
        people.insert(Entity.builder("p", "1").set("n", 0).build());
        broken.set(true);
        return people;
    }

    private static Entity changed(Entity entity) {
        return Entity.builder("p", "1").set("n", System.nanoTime()).build();
    }

    @Test
    @DisplayName("a change of an entity ends with the client in the pause between two rounds")
    void modify() throws Exception {
        Table<Entity> people = contended();
        CompletableFuture<String> call = start("modify", () -> people.modify("p", "1", WaitsAtCloseTest::changed));
        // The pauses grow to a second: the close meets one.
        awaitSent(20);

        ends(call);
    }

    @Test
    @DisplayName("and so does one of the reactive face, with an end off the thread that closes")
    void modifyReactive() throws Exception {
        Table<Entity> people = contended();
        CompletableFuture<Entity> change = people.reactive()
                .modify("p", "1", WaitsAtCloseTest::changed)
                .map(stored -> stored.value())
                .toFuture();
        awaitSent(20);
        CompletableFuture<Thread> ended = new CompletableFuture<>();
        change.whenComplete((value, error) -> ended.complete(Thread.currentThread()));
        storage.close();

        assertThat(ended.get(20, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
        assertThat(change).isCompletedExceptionally();
    }

    @Test
    @DisplayName("a staggered first read of copies ends with the client")
    void staggered() throws Exception {
        connect(WaitsAtCloseTest::silent);
        BlobContainer photos = storage.container("photos");
        var replicas = photos.replicas(
                List.of(storage.container("second")), o -> o.seed(3).startWithin(HOUR));
        CompletableFuture<String> call = start("download of a copy", () -> replicas.download("a"));
        awaitPauses();
        assertThat(call).isNotDone();

        ends(call);
        assertThat(sent.get()).isZero();
    }

    @Test
    @DisplayName("a candidate of an election ends with the client while another one leads")
    void candidate() throws Exception {
        connect(WaitsAtCloseTest::silent);
        BlobContainer locks = storage.container("locks");
        locks.create();
        locks.upload(new byte[0], "nightly");
        CountDownLatch leads = new CountDownLatch(1);
        try (Stowline other = Stowline.builder()
                        .connectionString(memory.connectionString())
                        .httpClient(memory.httpClient())
                        .build();
                var lease = other.container("locks").lease("nightly", Duration.ofSeconds(60))) {
            assertThat(lease.id()).isNotEmpty();
            CompletableFuture<String> call =
                    start("whileLeading", () -> locks.leader("nightly").whileLeading(term -> leads.countDown()));
            awaitSent(3);
            awaitPauses();
            assertThat(leads.getCount()).isOne();

            ends(call);
        }
    }

    @Test
    @DisplayName("OUTCOME-0: a write whose read-back waits ends as unknown with the client")
    void readBack() throws Exception {
        connect(WaitsAtCloseTest::lost);
        Table<Entity> people =
                storage.table("people").withRetry(r -> r.retries(0).deadline(HOUR));
        people.create();
        broken.set(true);
        CompletableFuture<String> call =
                start("insert", () -> people.insert(Entity.builder("p", "2").build()));
        awaitSent(3);
        awaitPauses();
        storage.close();

        assertThat(call.get(20, TimeUnit.SECONDS)).contains(OutcomeUnknownException.class.getSimpleName());
    }
}
