package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.error.ClosedException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.UnreachableException;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.ShardedQueue;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.StoredEntity;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** The first request of the operation keeps its thread until the client is being closed. */
@Timeout(60)
@DisplayName("OUTCOME-0: closing waits for all requests of a sharded queue and of an indexed table")
class ClosingSeveralRequestsTest {

    record Runner(@PartitionKey String race, @RowKey String bib, String name, int age) {}

    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
    private static final Index<Runner, String> NAME =
            Index.text("NAME", Runner::name).global();
    private static final Runner JOHN = new Runner("2026", "1", "John", 50);

    private final MemoryStorage memory = MemoryStorage.create();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Stowline other = client(memory.httpClient(), Duration.ofSeconds(30));

    /** The common pool has one thread on two cores, which the operation holds. */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        other.close();
        threads.shutdownNow();
    }

    private Stowline client(HttpClient http, Duration closeTimeout) {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .closeTimeout(closeTimeout)
                .httpClient(http)
                .build();
    }

    private static ShardedQueue<byte[]> wide(Stowline storage) {
        BlobContainer bodies = storage.container("bodies");
        return storage.shardedQueue("wide", byte[].class, s -> s.sendTo(2))
                .withView(shard -> shard.withEnvelope(e -> e.claimCheck(bodies)));
    }

    private static MessageQueue<byte[]> reports(Stowline storage) {
        BlobContainer bodies = storage.container("bodies");
        return storage.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(bodies));
    }

    private static IndexedTable<Runner> runners(Stowline storage) {
        return storage.table("runners", Runner.class).indexed(List.of(AGE, NAME));
    }

    /** The end of an operation whose first request to such a path waits until the client is closed. */
    private <R> R besideClose(String path, Function<Stowline, R> operation) throws Exception {
        HttpClient service = memory.httpClient();
        Stowline storage = client(
                request -> {
                    if (request.getUrl().getPath().startsWith(path) && closed.getCount() > 0) {
                        arrived.countDown();
                        awaitClosed();
                    }
                    return service.send(request);
                },
                Duration.ofSeconds(30));
        CompletableFuture<R> running = CompletableFuture.supplyAsync(() -> operation.apply(storage), threads);
        arrived.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(storage::close, threads);
        while (!isClosing(storage, path)) {
            ShortPause.park();
        }
        closed.countDown();
        try {
            return running.join();
        } finally {
            closing.join();
        }
    }

    private void awaitClosed() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Operations of indexed tables are refused first. */
    private static boolean isClosing(Stowline storage, String path) {
        try {
            if (path.startsWith("/runners")) {
                storage.table("absent", Runner.class).indexed(AGE).insert(JOHN);
            } else {
                storage.container("bodies").exists();
            }
            return false;
        } catch (NotFoundException e) {
            return false;
        } catch (ClosedException e) {
            return true;
        }
    }

    static Stream<Arguments> verbsOfShards() {
        return Stream.of(
                verb("dropIfExists", ShardedQueue::dropIfExists, true),
                verb("createIfMissing", ShardedQueue::createIfMissing, false),
                verb("exists", ShardedQueue::exists, true),
                verb("approximateCount", ShardedQueue::approximateCount, 4L),
                verb("peek", queue -> queue.peek(32).size(), 4),
                verb(
                        "receive",
                        queue -> queue.receive(32).stream()
                                .filter(ReceivedMessage::isDecodable)
                                .count(),
                        4L),
                verb(
                        "clear",
                        queue -> {
                            queue.clear();
                            return "done";
                        },
                        "done"));
    }

    private static Arguments verb(String name, Function<ShardedQueue<byte[]>, Object> verb, Object result) {
        return Arguments.of(name, verb, result);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("verbsOfShards")
    @DisplayName("a verb of a sharded queue reaches all shards")
    void shards(String name, Function<ShardedQueue<byte[]>, Object> verb, Object result) throws Exception {
        other.container("bodies").create();
        wide(other).createIfMissing();
        for (int i = 0; i < 4; i++) {
            wide(other).shards().get(i % 2).send(new byte[100_000]);
        }

        Object end = besideClose("/wide-", storage -> verb.apply(wide(storage)));

        assertThat(end).isEqualTo(result);
        if (name.equals("clear")) {
            assertThat(wide(other).approximateCount()).isZero();
        }
        assertThat(wide(other).exists()).isNotEqualTo(name.equals("dropIfExists"));
    }

    static Stream<Arguments> verbsOfIndexedTables() {
        return Stream.of(
                indexed("insert", table -> table.insert(new Runner("2026", "2", "Ann", 40)), 2),
                indexed("insertOrReplace", table -> table.insertOrReplace(new Runner("2026", "1", "Ann", 40)), 1));
    }

    private static Arguments indexed(String name, Function<IndexedTable<Runner>, Object> verb, int entities) {
        return Arguments.of(name, verb, entities);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("verbsOfIndexedTables")
    @DisplayName("a verb of an indexed table is carried out with all of its index rows")
    void indexedTable(String name, Function<IndexedTable<Runner>, Object> verb, int entities) throws Exception {
        insertJohn();

        Object end = besideClose("/runners", storage -> verb.apply(runners(storage)));

        assertThat(end).isNotNull();
        assertConsistent(entities);
    }

    @Test
    @DisplayName("a replacement of an indexed entity is carried out with all of their index rows")
    void replacement() throws Exception {
        StoredEntity<Runner> stored = insertJohn();
        besideClose("/runners", storage -> runners(storage).replace(stored.with(new Runner("2026", "1", "Ann", 40))));

        assertConsistent(1);
        assertThat(runners(other).global(NAME, "Ann").toList()).hasSize(1);
    }

    @Test
    @DisplayName("a deletion of an indexed entity removes all of its index rows")
    void deletion() throws Exception {
        StoredEntity<Runner> stored = insertJohn();
        besideClose("/runners", storage -> runners(storage).delete(stored));

        assertConsistent(0);
    }

    private StoredEntity<Runner> insertJohn() {
        other.table("runners", Runner.class).createIfMissing();
        runners(other).insert(JOHN);
        return runners(other).find("2026", "1").orElseThrow();
    }

    private void assertConsistent(int entities) {
        assertThat(runners(other).query().list()).hasSize(entities);
        assertThat(runners(other).repair()).isEqualTo(new IndexedTable.IndexReport(entities, 0, 0, 0, 0));
    }

    /** The failure of an operation that closing cuts short in this request. */
    private Throwable cutShort(Predicate<HttpRequest> hanging, int which, Function<Stowline, Mono<?>> operation)
            throws Exception {
        HttpClient service = memory.httpClient();
        AtomicInteger seen = new AtomicInteger();
        Stowline storage = client(
                request -> Mono.defer(() -> {
                    if (hanging.test(request) && seen.incrementAndGet() == which) {
                        arrived.countDown();
                        return Mono.never();
                    }
                    return service.send(request);
                }),
                Duration.ofMillis(1));
        CompletableFuture<Throwable> end = operation
                .apply(storage)
                .map(result -> (Throwable) new AssertionError("it gave " + result))
                .onErrorResume(Mono::just)
                .defaultIfEmpty(new AssertionError("it has ended without a failure"))
                .toFuture();
        arrived.await();
        storage.close();
        return end.join();
    }

    private static Predicate<HttpRequest> requests(String method, String path) {
        return request -> request.getHttpMethod().toString().equals(method)
                && request.getUrl().getPath().startsWith(path);
    }

    @Test
    @DisplayName("a poison queue whose messages are all removed is not called unreachable")
    void clearedPoison() throws Exception {
        other.container("bodies").create();
        reports(other).create();
        reports(other).send(new byte[100_000]);
        reports(other).hold(reports(other).receive().orElseThrow()).poison("broken");

        Throwable end = cutShort(
                requests("GET", "/reports-poison/messages"),
                2,
                storage -> reports(storage).poison().reactive().clear());

        assertThat(end).isInstanceOf(OutcomeUnknownException.class).hasMessageContaining("a success had come");
        assertThat(reports(other).poison().count()).isZero();
    }

    @Test
    @DisplayName("a receive whose bodies were not read fails, and gives no undecodable messages")
    void unreadBodies() throws Exception {
        other.container("bodies").create();
        reports(other).create();
        reports(other).send(new byte[100_000]);

        Throwable end = cutShort(requests("GET", "/bodies/reports"), 1, storage -> reports(storage)
                .reactive()
                .receive(1));

        assertThat(end)
                .isInstanceOf(UnreachableException.class)
                .hasMessageContainingAll("bodies/reports", "attempts 1");
        assertThat(reports(other).approximateCount()).isEqualTo(1);
    }
}
