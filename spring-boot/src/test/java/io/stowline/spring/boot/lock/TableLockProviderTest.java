package io.stowline.spring.boot.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.Stowline;
import io.stowline.error.NotFoundException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.lock.LockStorage.LockProcess;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The provider of ShedLock over an account in memory, with the semantics of its own providers. ShedLock has one clock for all. */
@Timeout(60)
@ResourceLock("net.javacrumbs.shedlock.core.ClockProvider")
class TableLockProviderTest {

    private static final String TABLE = "shedlock";

    private final LockStorage storage = new LockStorage();
    private final LockProcess process = storage.process();
    private final Table<Entity> table = process.client.table(TABLE);
    private final TableLockProvider provider = new TableLockProvider(table);
    private final TableLockProvider other =
            new TableLockProvider(storage.process().client.table(TABLE));

    @BeforeEach
    void make() {
        table.create();
        ClockProvider.setClock(storage.clock);
    }

    @AfterEach
    void close() {
        ClockProvider.setClock(Clock.systemUTC());
        storage.close();
    }

    private static LockConfiguration configured(Duration atMost, Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), "nightly", atMost, atLeast);
    }

    private static LockConfiguration forFiveMinutes() {
        return configured(Duration.ofMinutes(5), Duration.ZERO);
    }

    private void assertLocked(boolean locked) {
        Optional<SimpleLock> lock = other.lock(configured(Duration.ofMillis(1), Duration.ZERO));
        assertThat(lock.isPresent()).isNotEqualTo(locked);
        lock.ifPresent(SimpleLock::unlock);
    }

    @Test
    @DisplayName("a lock is one row, which shows who has it until when, and another process gets it after an unlock")
    void locksAndUnlocks() {
        Instant now = storage.clock.instant();
        SimpleLock lock = provider.lock(forFiveMinutes()).orElseThrow();

        Entity row = table.find("nightly", "lock").orElseThrow().value();
        assertThat(row.get("lockUntil", Instant.class)).isEqualTo(now.plus(Duration.ofMinutes(5)));
        assertThat(row.get("lockedAt", Instant.class)).isEqualTo(now);
        assertThat(row.get("lockedBy", String.class)).isNotEmpty();
        assertThat(row.get("name")).isEqualTo("nightly");
        assertThat(provider.lock(forFiveMinutes())).isEmpty();
        assertThat(other.lock(forFiveMinutes())).isEmpty();
        lock.unlock();
        assertThat(table.find("nightly", "lock").orElseThrow().value().get("lockUntil", Instant.class))
                .isEqualTo(now);
        for (int i = 0; i < 5; i++) {
            SimpleLock next = other.lock(forFiveMinutes()).orElseThrow();
            assertThat(provider.lock(forFiveMinutes())).isEmpty();
            next.unlock();
        }
        assertThatIllegalStateException().isThrownBy(lock::unlock);
    }

    @Test
    @DisplayName("locks of two names are apart")
    void hasLocksOfTwoNames() {
        SimpleLock lock = provider.lock(forFiveMinutes()).orElseThrow();
        Optional<SimpleLock> apart = other.lock(
                new LockConfiguration(ClockProvider.now(), "hourly/10:00", Duration.ofMinutes(5), Duration.ZERO));

        assertThat(apart).isPresent();
        lock.unlock();
        apart.orElseThrow().unlock();
    }

    @Test
    @DisplayName(
            "the lock of a process that died ends with lockAtMostFor, and its late unlock takes none from the next one")
    void endsWithItsLongestTime() {
        SimpleLock lock =
                provider.lock(configured(Duration.ofMinutes(1), Duration.ZERO)).orElseThrow();
        storage.pass(Duration.ofMinutes(1).minusMillis(1));
        assertThat(other.lock(forFiveMinutes())).isEmpty();
        storage.pass(Duration.ofMillis(1));
        SimpleLock next = other.lock(forFiveMinutes()).orElseThrow();
        lock.unlock();

        assertLocked(true);
        next.unlock();
        assertLocked(false);
    }

    @Test
    @DisplayName("a lock stays for lockAtLeastFor after an early unlock")
    void staysForItsShortestTime() {
        provider.lock(configured(Duration.ofMinutes(5), Duration.ofSeconds(30)))
                .orElseThrow()
                .unlock();

        storage.pass(Duration.ofSeconds(30).minusMillis(1));
        assertLocked(true);
        storage.pass(Duration.ofMillis(1));
        assertLocked(false);
    }

    @Test
    @DisplayName("an extended lock lasts for its new times, and the lock before it is over for its owner")
    void extends_() {
        SimpleLock lock =
                provider.lock(configured(Duration.ofSeconds(10), Duration.ZERO)).orElseThrow();
        SimpleLock extended = lock.extend(Duration.ofSeconds(20), Duration.ZERO).orElseThrow();
        extended =
                extended.extend(Duration.ofSeconds(30), Duration.ofSeconds(15)).orElseThrow();
        storage.pass(Duration.ofSeconds(11));
        assertLocked(true);
        extended.unlock();
        assertLocked(true);
        storage.pass(Duration.ofSeconds(4));
        assertLocked(false);

        assertThatIllegalStateException().isThrownBy(lock::unlock);
        assertThatIllegalStateException().isThrownBy(() -> lock.extend(Duration.ofSeconds(1), Duration.ZERO));
    }

    @Test
    @DisplayName("a lock that is over, or that another process has got, is not extended")
    void doesNotExtendALostLock() {
        SimpleLock over =
                provider.lock(configured(Duration.ofSeconds(10), Duration.ZERO)).orElseThrow();
        storage.pass(Duration.ofSeconds(10));
        assertThat(over.extend(Duration.ofSeconds(10), Duration.ZERO)).isEmpty();
        assertLocked(false);
        SimpleLock lock = provider.lock(forFiveMinutes()).orElseThrow();
        storage.pass(Duration.ofMinutes(5));
        assertThat(other.lock(forFiveMinutes())).isPresent();
        storage.pass(Duration.ofMinutes(-1));
        assertThat(lock.extend(Duration.ofMinutes(10), Duration.ZERO))
                .as("by a clock that is late")
                .isEmpty();
    }

    @Test
    @DisplayName("OUTCOME-5: an acquisition, an unlock and an extension whose responses are lost are settled by reading"
            + " back")
    void survivesLostResponses() {
        for (String first : List.of("POST", "PUT")) {
            lose(first, 2);
            SimpleLock lock = provider.lock(forFiveMinutes()).orElseThrow();
            assertThat(other.lock(forFiveMinutes())).isEmpty();
            lose("PUT", 2);
            lock = lock.extend(Duration.ofMinutes(6), Duration.ZERO).orElseThrow();
            lose("PUT", 2);
            lock.unlock();
            assertLocked(false);
        }
    }

    private void lose(String method, int responses) {
        for (int i = 0; i < responses; i++) {
            storage.memory.loseNextResponse(method, "/" + TABLE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("OUTCOME-5: an acquisition whose outcome stays unknown runs no task, here or elsewhere, until"
            + " lockAtMostFor has passed")
    void skipsTheTaskOfAnUnknownOutcome(boolean rowIsThere) {
        if (rowIsThere) {
            assertLocked(false);
        }
        TableLockProvider hasty =
                new TableLockProvider(table.withRetry(retry -> retry.retries(0).deadline(Duration.ofMillis(300))));
        AtomicInteger runs = new AtomicInteger();
        process.loseFromWrite();
        new DefaultLockingTaskExecutor(hasty).executeWithLock((Runnable) runs::incrementAndGet, forFiveMinutes());
        process.respond();

        assertThat(runs).hasValue(0);
        assertLocked(true);
        storage.pass(Duration.ofMinutes(5));
        assertLocked(false);
    }

    @Test
    @DisplayName("a missing table and an unreachable service are errors that name the lock; the next call works")
    void fails() {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> new TableLockProvider(process.client.table("missing")).lock(forFiveMinutes()))
                .withMessageContaining("'nightly' cannot be acquired")
                .withCauseInstanceOf(NotFoundException.class);
        SimpleLock lock = provider.lock(forFiveMinutes()).orElseThrow();
        refuse();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> lock.extend(Duration.ofMinutes(6), Duration.ZERO))
                .withMessageContaining("cannot be extended")
                .withCauseInstanceOf(ThrottledException.class);
        refuse();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining("cannot be unlocked; it ends at 2026-01-01T00:05:00Z")
                .withCauseInstanceOf(ThrottledException.class);
        lock.unlock();
        assertLocked(false);
        Stowline silent = Stowline.builder()
                .connectionString(storage.memory.connectionString())
                .httpClient(request -> reactor.core.publisher.Mono.error(new java.net.ConnectException("refused")))
                .retry(retry -> retry.backoff(Backoff.none()))
                .build();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> new TableLockProvider(silent.table(TABLE)).lock(forFiveMinutes()))
                .withCauseInstanceOf(UnreachableException.class);
        silent.close();
    }

    private void refuse() {
        for (int i = 0; i < 5; i++) {
            storage.memory.refuseNext("PUT", "/" + TABLE, 503, "ServerBusy");
        }
    }

    @Test
    @DisplayName("tasks of many threads and two processes never run at once, and none is lost")
    void excludes() {
        ClockProvider.setClock(Clock.systemUTC());
        int[] counters = new int[2];
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int thread = 0; thread < 6; thread++) {
            LockProvider own = thread % 2 == 0 ? provider : other;
            int task = thread / 3;
            all.add(CompletableFuture.runAsync(
                    () -> {
                        AtomicInteger runs = new AtomicInteger();
                        while (runs.get() < 40) {
                            new DefaultLockingTaskExecutor(own)
                                    .executeWithLock(
                                            (Runnable) () -> {
                                                int counter = counters[task];
                                                Thread.yield();
                                                counters[task] = counter + 1;
                                                runs.incrementAndGet();
                                            },
                                            new LockConfiguration(
                                                    ClockProvider.now(),
                                                    "task" + task,
                                                    Duration.ofMinutes(5),
                                                    Duration.ZERO));
                        }
                    },
                    run -> new Thread(run, "worker").start()));
        }
        all.forEach(CompletableFuture::join);

        assertThat(counters).containsExactly(120, 120);
    }
}
