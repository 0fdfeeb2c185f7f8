package io.stowline.spring.boot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.serializer.ObjectSerializer;
import com.azure.core.util.serializer.TypeReference;
import io.stowline.Stowline;
import io.stowline.caching.Freshness;
import io.stowline.error.NotFoundException;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.spring.boot.MovedClock;
import io.stowline.spring.boot.ShortPause;
import io.stowline.table.Entity;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.Cache.ValueRetrievalException;
import org.springframework.cache.Cache.ValueWrapper;
import org.springframework.core.ParameterizedTypeReference;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** The contract of Spring's caches, and the requests that a cache in a table sends for it. */
class TableCacheTest {

    record Price(String item, long cents) {}

    private static final Price SHIRT = new Price("shirt", 1_999);
    private static final Price CAP = new Price("cap", 999);

    private final MovedClock clock = MovedClock.standing();
    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline client = client();
    private final Stowline otherClient = client();
    private TableCacheManager manager;
    private Cache prices;

    private Stowline client() {
        return AccountsInMemory.client(memory);
    }

    @BeforeEach
    void create() {
        client.table("caches").create();
        manager = manager(client);
        prices = cache(manager, "prices");
    }

    private TableCacheManager manager(Stowline of) {
        return TableCacheManager.builder(of.table("caches"), new JsonText())
                .clock(clock)
                .cache("prices", Price.class, cache -> cache.timeToLive(Duration.ofMinutes(10)))
                .cache("lists", new ParameterizedTypeReference<List<Price>>() {}.getType(), cache -> cache)
                .cache("texts", String.class, cache -> cache)
                .cache("read often", String.class, cache -> cache.freshness(Freshness.fresh(Duration.ofHours(1))))
                .build();
    }

    private static Cache cache(TableCacheManager of, String name) {
        Cache cache = of.getCache(name);
        assertThat(cache).isNotNull();
        return cache;
    }

    @AfterEach
    void close() {
        client.close();
        otherClient.close();
    }

    private int sent() {
        return memory.requests().size();
    }

    @Test
    void getsWhatWasPut() {
        assertThat(prices.get("shirt")).isNull();
        prices.put("shirt", SHIRT);

        assertThat(prices.get("shirt")).extracting(ValueWrapper::get).isEqualTo(SHIRT);
        assertThat(prices.get("shirt", Price.class)).isEqualTo(SHIRT);
        assertThat(prices.get("cap", Price.class)).isNull();
        assertThatIllegalStateException().isThrownBy(() -> prices.get("shirt", Integer.class));
        assertThat(prices.getName()).isEqualTo("prices");
        assertThat(prices.getNativeCache()).isNotNull();
        assertThat(manager.getCacheNames()).containsExactly("prices", "lists", "texts", "read often");
        assertThat(manager.getCache("other")).isNull();
    }

    @Test
    void eachOperationIsOneRequest() {
        int before = sent();
        prices.put("shirt", SHIRT);
        prices.get("shirt");
        prices.evict("shirt");
        prices.get("shirt");

        assertThat(sent() - before).isEqualTo(4);
    }

    @Test
    void nullIsAValue() {
        prices.put("shirt", null);

        assertThat(prices.get("shirt"))
                .isNotNull()
                .extracting(ValueWrapper::get)
                .isNull();
        assertThat(prices.get("shirt", () -> CAP)).isNull();
        assertThat(prices.putIfAbsent("shirt", CAP)).isNotNull();
        assertThat(prices.retrieve("shirt").join())
                .isInstanceOfSatisfying(
                        ValueWrapper.class, value -> assertThat(value.get()).isNull());
    }

    @Test
    void typesWithParametersAndTextsAreKept() {
        cache(manager, "lists").put(1, List.of(SHIRT, CAP));
        cache(manager, "texts").put(1, "");

        assertThat(cache(manager, "lists").get(1)).extracting(ValueWrapper::get).isEqualTo(List.of(SHIRT, CAP));
        assertThat(cache(manager, "texts").get(1, String.class)).isEmpty();
        assertThat(prices.get(1)).isNull();
    }

    @Test
    void putIfAbsentKeepsWhatIsThere() {
        assertThat(prices.putIfAbsent("shirt", SHIRT)).isNull();
        assertThat(prices.putIfAbsent("shirt", CAP))
                .extracting(ValueWrapper::get)
                .isEqualTo(SHIRT);

        clock.pass(Duration.ofMinutes(10));
        assertThat(prices.putIfAbsent("shirt", CAP)).isNull();
        assertThat(prices.get("shirt", Price.class)).isEqualTo(CAP);
    }

    @Test
    @DisplayName("putIfAbsent of an expired entry that another process replaces in between gives that one")
    void putIfAbsentLosesTheRace() {
        prices.put("shirt", SHIRT);
        clock.pass(Duration.ofMinutes(10));
        memory.refuseNext("PUT", "/caches(", 412, "UpdateConditionNotMet");

        assertThat(prices.putIfAbsent("shirt", CAP)).isNull();
        assertThat(prices.get("shirt", Price.class)).isEqualTo(CAP);
    }

    @Test
    void evictsAndClears() {
        prices.put("shirt", SHIRT);
        prices.put("cap", CAP);
        cache(manager, "texts").put("shirt", "other cache");

        assertThat(prices.evictIfPresent("shirt")).isTrue();
        assertThat(prices.evictIfPresent("shirt")).isFalse();
        prices.evict("never");
        assertThat(prices.get("shirt")).isNull();
        int before = sent();
        assertThat(prices.invalidate()).isTrue();
        assertThat(sent() - before).as("a query and a transaction").isEqualTo(2);
        assertThat(prices.invalidate()).isFalse();
        prices.clear();
        assertThat(prices.get("cap")).isNull();
        assertThat(cache(manager, "texts").get("shirt")).isNotNull();
    }

    @Test
    void anExpiredEntryIsAMissAndIsRemoved() {
        prices.put("shirt", SHIRT);
        clock.pass(Duration.ofMinutes(10).minusNanos(100));
        assertThat(prices.get("shirt")).isNotNull();

        clock.pass(Duration.ofNanos(100));
        assertThat(prices.get("shirt")).isNull();

        assertThat(memory.requests()).last().asString().startsWith("DELETE");
        assertThat(client.table("caches").query().count()).isZero();
    }

    @Test
    void expiredEntriesAreRemovedByTheCache() {
        prices.put("shirt", SHIRT);
        clock.pass(Duration.ofMinutes(5));
        prices.put("cap", CAP);
        clock.pass(Duration.ofMinutes(5));

        assertThat(manager.removeExpired("prices")).isOne();
        assertThat(client.table("caches").query().count()).isOne();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> manager.removeExpired("other"))
                .withMessageContaining("no cache 'other'");
    }

    @Test
    void loadsAMissAndKeepsIt() {
        AtomicInteger loads = new AtomicInteger();
        Callable<Price> loader = () -> {
            loads.incrementAndGet();
            return SHIRT;
        };

        assertThat(prices.get("shirt", loader)).isEqualTo(SHIRT);
        assertThat(prices.get("shirt", loader)).isEqualTo(SHIRT);
        assertThat(loads).hasValue(1);
        clock.pass(Duration.ofMinutes(10));
        assertThat(prices.get("shirt", loader)).isEqualTo(SHIRT);
        assertThat(loads).hasValue(2);
    }

    @Test
    void theFailureOfALoaderIsOfItsKey() {
        assertThatThrownBy(() -> prices.get("shirt", () -> {
                    throw new IOException("no price");
                }))
                .isInstanceOfSatisfying(ValueRetrievalException.class, failure -> assertThat(failure.getKey())
                        .isEqualTo("shirt"))
                .hasCauseInstanceOf(IOException.class);
        assertThat(prices.get("shirt", () -> SHIRT)).isEqualTo(SHIRT);
    }

    @Test
    void aLoaderThatLoadsItsOwnKeyFails() {
        assertThatThrownBy(() -> prices.get("shirt", () -> prices.get("shirt", () -> SHIRT)))
                .isInstanceOf(ValueRetrievalException.class)
                .hasRootCauseMessage("the loader of a value of the cache 'prices' loads the same key from the cache");
    }

    @Test
    void oneThreadLoadsAKeyForAll() throws Exception {
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(1);
        AtomicInteger loads = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<Price>> all = new ArrayList<>();
            all.add(threads.submit(() -> prices.get("shirt", () -> {
                loads.incrementAndGet();
                loading.countDown();
                assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
                return SHIRT;
            })));
            assertThat(loading.await(10, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 4; i++) {
                all.add(threads.submit(() -> prices.get("shirt", () -> {
                    loads.incrementAndGet();
                    return SHIRT;
                })));
            }
            CompletableFuture<Price> later =
                    prices.retrieve("shirt", () -> CompletableFuture.failedFuture(new AssertionError("loads twice")));
            waiting.countDown();
            for (Future<Price> each : all) {
                assertThat(each.get(10, TimeUnit.SECONDS)).isEqualTo(SHIRT);
            }
            assertThat(later.get(10, TimeUnit.SECONDS)).isEqualTo(SHIRT);
            assertThat(loads).hasValue(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void retrievesWithoutBlocking() {
        assertThat(prices.retrieve("shirt").join()).isNull();
        assertThat(prices.retrieve("shirt", () -> CompletableFuture.completedFuture(SHIRT))
                        .join())
                .isEqualTo(SHIRT);
        assertThat(prices.retrieve("shirt", () -> CompletableFuture.completedFuture(CAP))
                        .join())
                .isEqualTo(SHIRT);
        assertThat(prices.retrieve("shirt").join())
                .isInstanceOfSatisfying(
                        ValueWrapper.class, value -> assertThat(value.get()).isEqualTo(SHIRT));
        assertThat(prices.<Price>retrieve("cap", () -> CompletableFuture.completedFuture(null))
                        .join())
                .isNull();
        assertThat(prices.get("cap")).as("null is a value").isNotNull();
        assertThatThrownBy(() -> prices.retrieve("tee", () -> CompletableFuture.failedFuture(new IOException("none")))
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("none");
        assertThat(prices.retrieve("tee", () -> CompletableFuture.completedFuture(CAP))
                        .join())
                .isEqualTo(CAP);
    }

    /** Returns a value whose loader has begun. */
    private CompletableFuture<Price> loading(String key, CompletableFuture<Price> source) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Price> value = prices.retrieve(key, () -> {
            begun.countDown();
            return source;
        });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        return value;
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time").isLessThan(end);
            ShortPause.park();
        }
    }

    @Test
    @DisplayName("a load that never ends ends with its last caller, and the next call loads itself")
    void aLoadIsLeft() throws Exception {
        CompletableFuture<Price> source = new CompletableFuture<>();
        CompletableFuture<Price> first = loading("shirt", source);
        CompletableFuture<Price> second =
                prices.retrieve("shirt", () -> CompletableFuture.failedFuture(new AssertionError("loads twice")));
        first.cancel(true);
        assertThat(source).isNotDone();
        assertThat(second).isNotDone();
        second.cancel(true);

        until(source::isCancelled);
        assertThat(prices.retrieve("shirt", () -> CompletableFuture.completedFuture(CAP))
                        .get(10, TimeUnit.SECONDS))
                .isEqualTo(CAP);
        assertThat(prices.get("shirt", () -> SHIRT)).isEqualTo(CAP);
    }

    @Test
    @DisplayName("a cancel of what Spring makes of the future, and any other end of it, leaves the load, too")
    void aLoadIsLeftThroughSpring() throws Exception {
        CompletableFuture<Price> cancelled = new CompletableFuture<>();
        loading("shirt", cancelled)
                .exceptionallyCompose(CompletableFuture::failedFuture)
                .cancel(true);
        CompletableFuture<Price> late = new CompletableFuture<>();
        loading("cap", late).completeExceptionally(new TimeoutException());

        until(cancelled::isCancelled);
        until(late::isCancelled);
        assertThat(prices.retrieve("shirt", () -> CompletableFuture.completedFuture(SHIRT))
                        .exceptionallyCompose(CompletableFuture::failedFuture)
                        .get(10, TimeUnit.SECONDS))
                .isEqualTo(SHIRT);
    }

    @Test
    @DisplayName("a call after a put, an eviction or a clear waits for no load from before it")
    void aWriteEndsTheWaitForOlderLoads() throws Exception {
        for (Consumer<Cache> write : List.<Consumer<Cache>>of(
                cache -> cache.put("shirt", CAP),
                cache -> cache.putIfAbsent("shirt", CAP),
                cache -> cache.evict("shirt"),
                Cache::clear)) {
            CompletableFuture<Price> source = new CompletableFuture<>();
            CompletableFuture<Price> older = prices.retrieve("shirt", () -> source);
            write.accept(prices);

            assertThat(CompletableFuture.supplyAsync(() -> prices.get("shirt", () -> CAP))
                            .get(10, TimeUnit.SECONDS))
                    .isEqualTo(CAP);
            assertThat(prices.retrieve("shirt", () -> CompletableFuture.completedFuture(SHIRT))
                            .get(10, TimeUnit.SECONDS))
                    .isEqualTo(CAP);
            source.complete(SHIRT);
            assertThat(older.get(10, TimeUnit.SECONDS)).isEqualTo(SHIRT);
            prices.clear();
        }
    }

    @Test
    @DisplayName("a loader that is interrupted fails its own caller only; those that wait load for themselves")
    void anInterruptIsThatOfOneThread() throws Exception {
        CountDownLatch loading = new CountDownLatch(1);
        FutureTask<Price> interrupted = new FutureTask<>(() -> prices.get("shirt", () -> {
            loading.countDown();
            new CountDownLatch(1).await();
            return SHIRT;
        }));
        Thread loader = new Thread(interrupted, "loader");
        loader.start();
        assertThat(loading.await(10, TimeUnit.SECONDS)).isTrue();
        FutureTask<Price> waits = new FutureTask<>(() -> prices.get("shirt", () -> CAP));
        Thread waiter = new Thread(waits, "waiter");
        waiter.start();
        CompletableFuture<Price> later = prices.retrieve("shirt", () -> CompletableFuture.completedFuture(CAP));
        until(() -> waiter.getState() == Thread.State.WAITING);
        loader.interrupt();

        assertThat(waits.get(10, TimeUnit.SECONDS)).isEqualTo(CAP);
        assertThat(later.get(10, TimeUnit.SECONDS)).isEqualTo(CAP);
        assertThatThrownBy(() -> interrupted.get(10, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(InterruptedException.class);
    }

    @Test
    @DisplayName("loaders of two threads that load each other's key are refused, also in two caches")
    void crossLoadsAreRefused() throws Exception {
        Cache texts = cache(manager, "texts");
        CountDownLatch inside = new CountDownLatch(2);
        FutureTask<Price> first = new FutureTask<>(() -> prices.get("a", () -> {
            inside.countDown();
            inside.await();
            return new Price(texts.get("b", () -> "b"), 1);
        }));
        FutureTask<String> second = new FutureTask<>(() -> texts.get("b", () -> {
            inside.countDown();
            inside.await();
            return prices.get("a", () -> SHIRT).item();
        }));
        new Thread(first, "first").start();
        new Thread(second, "second").start();

        for (Future<?> each : List.of(first, second)) {
            assertThatThrownBy(() -> each.get(10, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .rootCause()
                    .hasMessageContaining("loads a key whose loader waits for it");
        }
        assertThat(prices.get("a", () -> SHIRT)).isEqualTo(SHIRT);
    }

    @Test
    void processesShareTheirEntries() {
        Cache other = cache(manager(otherClient), "prices");
        prices.put("shirt", SHIRT);
        assertThat(other.get("shirt", Price.class)).isEqualTo(SHIRT);
        other.evict("shirt");
        assertThat(prices.get("shirt")).isNull();
    }

    @Test
    @DisplayName(
            "CACHE-4: an entry is read from memory within its window, and not after a put or a clear of this process")
    void aFreshEntryIsReadFromMemory() {
        Cache often = cache(manager, "read often");
        Cache other = cache(manager(otherClient), "read often");
        often.put("limit", "10");
        assertThat(often.get("limit", String.class)).isEqualTo("10");
        int before = sent();
        assertThat(often.get("limit", String.class)).isEqualTo("10");
        assertThat(often.retrieve("limit").join()).isNotNull();
        assertThat(sent()).isEqualTo(before);

        other.put("limit", "20");
        assertThat(often.get("limit", String.class)).as("within the window").isEqualTo("10");
        often.put("limit", "30");
        assertThat(often.get("limit", String.class)).as("its own put").isEqualTo("30");
        often.clear();
        assertThat(often.get("limit")).as("its own clear").isNull();
    }

    @Test
    void aLostResponseLeavesTheEntryRight() {
        memory.loseNextResponse("PUT", "/caches(");
        prices.put("shirt", SHIRT);
        assertThat(prices.get("shirt", Price.class)).isEqualTo(SHIRT);

        memory.loseNextResponse("GET", "/caches(");
        assertThat(prices.get("shirt", Price.class)).isEqualTo(SHIRT);
    }

    @Test
    void aLargeValueTakesSeveralProperties() {
        Cache texts = cache(manager, "texts");
        String large = "x".repeat(200_000);
        texts.put("large", large);

        assertThat(texts.get("large", String.class)).isEqualTo(large);
        assertThat(client.table("caches").query().list()).singleElement().satisfies(row -> assertThat(row.properties())
                .hasSize(4));
        int before = sent();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> texts.put("huge", "x".repeat(960 * 1024)))
                .withMessage(
                        "a value of the cache 'texts' has 983042 bytes; the limit is 983040 (960 KiB), as an entity has"
                                + " 1 MiB");
        assertThat(sent()).isEqualTo(before);
    }

    @Test
    void refusesValuesOfAnotherType() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> prices.put("shirt", "text"))
                .withMessage("the cache 'prices' holds values of the type " + Price.class.getName()
                        + ", not java.lang.String");
        client.table("caches")
                .insert(Entity.builder("prices", "k!s5:shirt")
                        .set("Value0", "[]".getBytes(StandardCharsets.UTF_8))
                        .build());
        assertThatIllegalStateException()
                .isThrownBy(() -> prices.get("shirt"))
                .withMessageContaining("an entry of the cache 'prices' is no " + Price.class.getName());
    }

    @Test
    void aMissingTableIsAFailure() {
        client.table("caches").drop();

        assertThatThrownBy(() -> prices.get("shirt")).isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> prices.get("shirt", () -> SHIRT)).isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> prices.putIfAbsent("shirt", SHIRT)).isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> prices.retrieve("shirt").join()).hasCauseInstanceOf(NotFoundException.class);
    }

    @Test
    void anySerializerWritesTheValues() {
        TableCacheManager own = TableCacheManager.builder(client.table("caches"), new PlainText())
                .cache("texts", String.class, cache -> cache)
                .build();
        cache(own, "texts").put("a", "text");

        assertThat(cache(own, "texts").get("a", String.class)).isEqualTo("text");
        assertThat(client.table("caches").query().list())
                .singleElement()
                .satisfies(row ->
                        assertThat(row.get("Value0", byte[].class)).asString().isEqualTo("text"));
    }

    /** A serializer of texts. */
    private static class PlainText implements ObjectSerializer {

        Object read(byte[] bytes, Type type) {
            assertThat(type).isEqualTo(String.class);
            return new String(bytes, StandardCharsets.UTF_8);
        }

        byte[] write(Object value) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        @SuppressWarnings("unchecked") // the type names it
        public <T> T deserialize(InputStream stream, TypeReference<T> type) {
            try {
                return (T) read(stream.readAllBytes(), type.getJavaType());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public <T> Mono<T> deserializeAsync(InputStream stream, TypeReference<T> type) {
            return Mono.fromCallable(() -> deserialize(stream, type));
        }

        @Override
        public void serialize(OutputStream stream, Object value) {
            try {
                stream.write(write(value));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Mono<Void> serializeAsync(OutputStream stream, Object value) {
            return Mono.fromRunnable(() -> serialize(stream, value));
        }
    }

    /** JSON of Jackson 3. */
    private static final class JsonText extends PlainText {

        @Override
        Object read(byte[] bytes, Type type) {
            return JsonMapper.shared().readValue(bytes, JsonMapper.shared().constructType(type));
        }

        @Override
        byte[] write(Object value) {
            return JsonMapper.shared().writeValueAsBytes(value);
        }
    }

    @Test
    void refusesWrongDeclarations() {
        TableCacheManager.Builder builder = TableCacheManager.builder(client.table("caches"), new PlainText());
        builder.cache("a", String.class, cache -> cache);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.cache("a", String.class, cache -> cache))
                .withMessage("the cache 'a' is declared twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.cache("b", String.class, cache -> cache.timeToLive(Duration.ZERO)))
                .withMessage("timeToLive must be more than zero, not PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableCacheSettings.builder()
                        .timeToLive(Duration.ofSeconds(Long.MAX_VALUE))
                        .build())
                .withMessageStartingWith("timeToLive must be at most 36500 days, not ");
    }
}
