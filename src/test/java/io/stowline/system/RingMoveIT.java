package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageUnavailableException;
import io.stowline.retry.Backoff;
import io.stowline.ring.RingMismatchException;
import io.stowline.ring.RingMove;
import io.stowline.ring.RingTable;
import io.stowline.ring.StowlineRing;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An account joins a ring of two accounts of the emulator, while applications go on. */
class RingMoveIT {

    private static final String TABLE = "orders";
    private static final int PARTITIONS = 10;
    private static final int WRITERS = 2;
    private static final Duration CHECK = Duration.ofMillis(200);

    /** The deadline of a call, which read-backs of lost responses take as a whole now and then. */
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private static final Duration LONGEST = DEADLINE.plusSeconds(1);

    private final Map<String, Long> accepted = new ConcurrentHashMap<>();
    private final Map<String, Long> attempted = new ConcurrentHashMap<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final CountDownLatch begun = new CountDownLatch(200);
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong scans = new AtomicLong();
    private EmulatedAccounts accounts;
    private StowlineRing before;
    private StowlineRing changing;
    private StowlineRing calling;
    private StowlineRing after;

    @BeforeEach
    void connect() {
        accounts = new EmulatedAccounts(3);
        before = StowlineRing.of(r -> with(r, "a0", "a1"));
        changing = StowlineRing.of(r -> with(r, "a0", "a1").joining("a2", client("a2"), a -> a));
        // No call of an application lasts longer than a move waits for.
        calling = StowlineRing.of(r -> {
            List.of("a0", "a1").forEach(name -> r.account(name, client(name, DEADLINE), a -> a));
            return r.checkEvery(CHECK).joining("a2", client("a2", DEADLINE), a -> a);
        });
        after = StowlineRing.of(r -> with(r, "a0", "a1", "a2"));
        before.table(TABLE, Entity.class).createIfMissing();
    }

    private StowlineRing.Builder with(StowlineRing.Builder ring, String... names) {
        for (String name : names) {
            ring.account(name, client(name), a -> a);
        }
        return ring.checkEvery(CHECK);
    }

    /** A short server-side limit ends the time in which a lost request may still arrive. */
    private UnaryOperator<Stowline.Builder> client(String name, Duration deadline) {
        return client -> accounts.client(name).apply(client).retry(retry -> retry.serverTimeout(Duration.ofSeconds(1))
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .deadline(deadline));
    }

    private UnaryOperator<Stowline.Builder> client(String name) {
        return client(name, Duration.ofMinutes(2));
    }

    @AfterEach
    void disconnect() {
        accounts.proxy().clear();
        List.of(before, changing, calling, after).forEach(StowlineRing::close);
        accounts.close();
    }

    private RingMove move() {
        return changing.move().table(TABLE).longestCall(LONGEST);
    }

    private static Entity entity(String partition, String row, long version) {
        return Entity.builder(partition, row).set("version", version).build();
    }

    /** Writes growing versions into rows that no other writer has. */
    private void writer(RingTable<Entity> table, int number) {
        Random random = new Random(number);
        while (!stopped.get()) {
            String partition = "p" + random.nextInt(PARTITIONS);
            String row = "w" + number;
            long version = attempted.merge(partition + row, 1L, Long::sum);
            try {
                if (version % 5 == 0) {
                    table.transaction(partition)
                            .insertOrReplace(entity(partition, row, version))
                            .insertOrReplace(entity(partition, row + "x", version))
                            .commit();
                } else {
                    table.insertOrReplace(entity(partition, row, version));
                }
                accepted.put(partition + row, version);
                begun.countDown();
            } catch (OutcomeUnknownException | DeadlineExceededException e) {
                // either version may be there, or none was sent
            }
        }
    }

    private void reader(RingTable<Entity> table) {
        Random random = new Random(WRITERS);
        while (!stopped.get()) {
            String partition = "p" + random.nextInt(PARTITIONS);
            String row = "w" + random.nextInt(WRITERS);
            long least = accepted.getOrDefault(partition + row, 0L);
            try {
                Optional<StoredEntity<Entity>> found = table.find(partition, row);
                judge(partition + row, found.map(StoredEntity::value).orElse(null), least);
                reads.incrementAndGet();
            } catch (StorageUnavailableException e) {
                // its deadline, which is short, on a busy machine
            }
        }
    }

    /** Queries all accounts: each row that was accepted before is there, and none twice. */
    private void scanner(RingTable<Entity> table) {
        while (!stopped.get()) {
            Map<String, Long> least = Map.copyOf(accepted);
            Map<String, Entity> found = new HashMap<>();
            List<Entity> rows;
            try {
                rows = table.query().list();
            } catch (StorageUnavailableException e) {
                continue;
            }
            for (Entity row : rows) {
                assertThat(found.put(row.partitionKey() + row.rowKey(), row)).isNull();
            }
            least.forEach((key, version) -> judge(key, found.get(key), version));
            scans.incrementAndGet();
        }
    }

    private void judge(String key, Entity row, long least) {
        long version = row == null ? 0 : row.get("version", Long.class);
        assertThat(version).as(key).isBetween(least, attempted.getOrDefault(key, 0L));
    }

    private List<Future<?>> applications(ExecutorService threads) {
        List<Future<?>> all = new ArrayList<>();
        RingTable<Entity> table = calling.table(TABLE, Entity.class);
        for (int i = 0; i < WRITERS; i++) {
            int number = i;
            all.add(threads.submit(() -> writer(table, number)));
        }
        all.add(threads.submit(() -> reader(table)));
        all.add(threads.submit(() -> scanner(table)));
        return all;
    }

    /** Counts each row by clients of the single accounts: once, in its home, and no reserved one. */
    private void witness(StowlineRing ring, List<String> names) {
        Map<String, String> places = new ConcurrentHashMap<>();
        for (String account : names) {
            try (var rows = changing.client(account).table(TABLE).query().stream()) {
                rows.forEach(row -> {
                    assertThat(row.rowKey()).startsWith("w");
                    assertThat(places.put(row.partitionKey() + row.rowKey(), account))
                            .isNull();
                    assertThat(ring.accountOf(row.partitionKey())).isEqualTo(account);
                    if (!row.rowKey().endsWith("x")) {
                        judge(
                                row.partitionKey() + row.rowKey(),
                                row,
                                accepted.getOrDefault(row.partitionKey() + row.rowKey(), 0L));
                    }
                });
            }
        }
        assertThat(places.keySet()).containsAll(accepted.keySet());
    }

    @Test
    @DisplayName(
            "RING-6, RING-7, RING-8: with lost responses an account joins beside writers and readers, and no row is"
                    + " lost or twice")
    void joins() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> applications = applications(threads);
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        accounts.proxy().when(requests().method("POST").every(13)).loseResponse();
        accounts.proxy().when(requests().method("GET").every(37)).loseResponse();

        move().run();
        move().rollback();
        move().run();

        stopped.set(true);
        for (Future<?> application : applications) {
            application.get(2, TimeUnit.MINUTES);
        }
        accounts.proxy().clear();
        assertThat(move().verify().isComplete()).isTrue();
        RingTable<Entity> moved = after.table(TABLE, Entity.class);
        assertThat(moved.query().list()).allMatch(row -> row.rowKey().startsWith("w"));
        move().finish();
        witness(after, accounts.names());
        assertThat(changing.client("a2").table(TABLE).query().count()).isPositive();
        assertThatThrownBy(() -> before.table(TABLE, Entity.class).find("p1", "w1"))
                .isInstanceOf(RingMismatchException.class);
        assertThat(reads.get()).isPositive();
        assertThat(scans.get()).isPositive();
        assertThat(accounts.refusals().values())
                .as("what Azure would have refused")
                .allMatch(count -> count == 0);
        threads.shutdown();
    }
}
