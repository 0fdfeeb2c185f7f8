package io.stowline.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The change of a ring over accounts in memory. */
class RingMoveTest {

    private static final int ROWS = 200;
    private static final int PARTITIONS = 20;
    private static final Duration CHECK = Duration.ofMillis(20);

    private final List<MemoryStorage> accounts =
            IntStream.range(0, 3).mapToObj(i -> MemoryStorage.create()).toList();
    private final List<StowlineRing> rings = new ArrayList<>();
    private final StowlineRing before = ring(r -> account(account(r, 0), 1));
    private final StowlineRing changing =
            ring(r -> account(account(r, 0), 1).joining("a2", RingBench.client(accounts.get(2), http -> http), a -> a));
    private final StowlineRing after = ring(r -> account(account(account(r, 0), 1), 2));

    private StowlineRing.Builder account(StowlineRing.Builder ring, int i) {
        return ring.account("a" + i, RingBench.client(accounts.get(i), http -> http), a -> a);
    }

    private StowlineRing ring(UnaryOperator<StowlineRing.Builder> settings) {
        StowlineRing ring = StowlineRing.of(r -> settings.apply(r.checkEvery(CHECK)));
        rings.add(ring);
        return ring;
    }

    @AfterEach
    void close() {
        rings.forEach(StowlineRing::close);
    }

    private static Entity entity(int i, String text) {
        return Entity.builder("p" + i % PARTITIONS, String.format(Locale.ROOT, "r%04d", i))
                .set("n", i)
                .set("text", text)
                .build();
    }

    private RingMove move() {
        return changing.move().table("orders").longestCall(Duration.ofMillis(50));
    }

    private void fill() {
        RingTable<Entity> orders = before.table("orders", Entity.class);
        orders.createIfMissing();
        IntStream.range(0, ROWS).forEach(i -> orders.insert(entity(i, "first")));
    }

    private static TreeMap<Integer, String> all(RingTable<Entity> table) {
        return table.query().list().stream()
                .collect(Collectors.toMap(
                        row -> row.get("n", Integer.class),
                        row -> row.get("text", String.class),
                        (a, b) -> a + b,
                        TreeMap::new));
    }

    private TreeMap<Integer, String> expected(String text) {
        TreeMap<Integer, String> rows = new TreeMap<>();
        IntStream.range(0, ROWS).forEach(i -> rows.put(i, text));
        return rows;
    }

    /** Counts rows by account, reserved ones included. */
    private List<Long> rowsByAccount() {
        return List.of("a0", "a1", "a2").stream()
                .map(name -> changing.client(name).table("orders").query().count())
                .toList();
    }

    @Test
    @DisplayName("RING-7: an account that joins gets its share with all rows")
    void anAccountThatJoinsGetsItsShareWithAllRows() {
        fill();
        RingTable<Entity> orders = changing.table("orders", Entity.class);
        assertThat(all(orders)).isEqualTo(expected("first"));
        AtomicLong visited = new AtomicLong();

        move().progress(progress -> visited.set(progress.visited())).run();

        assertThat(visited.get()).isPositive();
        AtomicLong moved = new AtomicLong();
        assertThat(move().progress(progress -> moved.set(progress.moved()))
                        .verify()
                        .isComplete())
                .isTrue();
        assertThat(moved).as("a count moves nothing").hasValue(0);
        assertThat(all(orders)).isEqualTo(expected("first"));
        RingTable<Entity> later = after.table("orders", Entity.class);
        assertThat(all(later)).isEqualTo(expected("first"));
        assertThat(later.query().count()).isEqualTo(ROWS);
        IntStream.range(0, ROWS).forEach(i -> later.insertOrReplace(entity(i, "second")));
        assertThat(all(orders)).isEqualTo(expected("second"));

        move().finish();

        assertThat(all(later)).isEqualTo(expected("second"));
        assertThat(rowsByAccount().stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS);
        assertThat(rowsByAccount().get(2)).isPositive();
        assertThatThrownBy(() -> all(orders)).isInstanceOf(RingMismatchException.class);
    }

    @Test
    @DisplayName("RING-7: a script that runs again after the end changes nothing")
    void aScriptThatRunsAgainAfterTheEndChangesNothing() {
        fill();
        RingTable<Entity> orders = after.table("orders", Entity.class);
        for (int i = 0; i < 2; i++) {
            move().run();
            assertThat(move().verify().isComplete()).isTrue();
            move().finish();
            IntStream.range(0, ROWS).forEach(row -> orders.insertOrReplace(entity(row, "second")));
            IntStream.range(ROWS, 2 * ROWS).forEach(row -> orders.insertOrReplace(entity(row, "second")));
        }
        assertThatThrownBy(() -> move().rollback()).isInstanceOf(IllegalStateException.class);
        assertThat(orders.query().count()).isEqualTo(2 * ROWS);

        // the next change, and once more the script of the first one
        MemoryStorage fourth = MemoryStorage.create();
        StowlineRing leaving = ring(r -> account(account(r, 1), 2)
                .leaving("a0", RingBench.client(accounts.get(0), http -> http), a -> a)
                .account("a3", RingBench.client(fourth, http -> http), a -> a));
        assertThatThrownBy(() -> leaving.move().table("orders").run()).isInstanceOf(RingMismatchException.class);
        StowlineRing without = ring(
                r -> account(account(r, 1), 2).leaving("a0", RingBench.client(accounts.get(0), http -> http), a -> a));
        for (int i = 0; i < 2; i++) {
            RingMove second = without.move().table("orders").longestCall(Duration.ofMillis(50));
            second.run();
            assertThat(second.verify().isComplete()).isTrue();
            second.finish();
        }
        assertThatThrownBy(() -> move().run()).isInstanceOf(RingMismatchException.class);
        assertThatThrownBy(() -> move().finish()).isInstanceOf(RingMismatchException.class);
        assertThatThrownBy(() -> move().rollback()).isInstanceOf(RingMismatchException.class);
        assertThatThrownBy(() -> move().verify()).isInstanceOf(RingMismatchException.class);
        assertThat(ring(r -> account(account(r, 1), 2))
                        .table("orders", Entity.class)
                        .query()
                        .count())
                .isEqualTo(2 * ROWS);
        assertThat(rowsByAccount().get(0)).isZero();
    }

    @Test
    @DisplayName("RING-6: entities in the new account that no mover has left refuse the move")
    void entitiesInTheNewAccountThatNoMoverHasLeftRefuseTheMove() {
        fill();
        var joined = changing.client("a2").table("orders");
        joined.createIfMissing();
        joined.insert(Entity.builder("p7", "stray").set("n", -1).build());

        assertThatThrownBy(() -> move().run())
                .isInstanceOfSatisfying(StrayEntitiesException.class, e -> assertThat(e.keys())
                        .containsExactly(new EntityKey("p7", "stray")))
                .hasMessageContaining("p7/stray");
        assertThat(all(before.table("orders", Entity.class)))
                .as("nothing has begun")
                .isEqualTo(expected("first"));
        assertThat(joined.find("p7", "stray")).isPresent();

        joined.delete("p7", "stray");
        move().run();
        assertThat(all(after.table("orders", Entity.class))).isEqualTo(expected("first"));
    }

    @Test
    @DisplayName("RING-6: such entities in an account that stays are found at their partition")
    void suchEntitiesInAnAccountThatStaysAreFoundAtTheirPartition() {
        fill();
        StowlineRing leaving =
                ring(r -> account(r, 0).leaving("a1", RingBench.client(accounts.get(1), http -> http), a -> a));
        String partition = IntStream.range(0, PARTITIONS)
                .mapToObj(i -> "p" + i)
                .filter(key -> before.accountOf(key).equals("a1"))
                .findFirst()
                .orElseThrow();
        var staying = leaving.client("a0").table("orders");
        staying.insert(Entity.builder(partition, "stray").set("n", -1).build());
        RingMove move = leaving.move().table("orders").longestCall(Duration.ofMillis(50));

        assertThatThrownBy(move::run).isInstanceOf(StrayEntitiesException.class).hasMessageContaining("stray");
        assertThat(staying.find(partition, "stray")).isPresent();
        move.rollback();
        assertThat(staying.find(partition, "stray")).isPresent();
        staying.delete(partition, "stray");
        assertThat(all(before.table("orders", Entity.class))).isEqualTo(expected("first"));
    }

    @Test
    @DisplayName("RING-7: a move visits 1 to 256 partitions at a time")
    void aMoveVisits1To256PartitionsAtATime() {
        fill();
        move().parallelism(1).run();
        move().parallelism(256).rollback();

        assertThat(all(before.table("orders", Entity.class))).isEqualTo(expected("first"));
        assertThatThrownBy(() -> changing.move().parallelism(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("parallelism is 1 to 256, not 0");
        assertThatThrownBy(() -> changing.move().parallelism(257)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("RING-7: a rollback brings all back with the writes since")
    void rollbackBringsAllBackWithTheWritesSince() {
        fill();
        move().run();
        RingTable<Entity> moved = after.table("orders", Entity.class);
        IntStream.range(0, ROWS).forEach(i -> moved.insertOrReplace(entity(i, "second")));
        moved.delete("p3", "r0003");

        move().rollback();

        TreeMap<Integer, String> expected = expected("second");
        expected.remove(3);
        assertThat(all(before.table("orders", Entity.class))).isEqualTo(expected);
        assertThat(rowsByAccount().get(2)).isZero();
        assertThat(rowsByAccount().stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS - 1);
        assertThatThrownBy(() -> all(moved)).isInstanceOf(RingMismatchException.class);
    }

    @Test
    @DisplayName("RING-7: a table that appears during the move takes part before the move ends")
    void aTableThatAppearsDuringTheMoveTakesPart() {
        fill();
        RingTable<Entity> notes = changing.table("notes", Entity.class);
        RingMove first = move().progress(done -> {
            if (notes.createIfMissing()) {
                IntStream.range(0, ROWS).forEach(i -> notes.insert(entity(i, "first")));
            }
        });

        assertThatThrownBy(first::run).isInstanceOf(IllegalStateException.class).hasMessageContaining("tables [notes]");

        assertThat(all(notes)).isEqualTo(expected("first"));
        RingMove both = move().table("notes");
        both.run();
        assertThat(both.verify().isComplete()).isTrue();
        assertThat(all(after.table("notes", Entity.class))).isEqualTo(expected("first"));
        both.finish();
        assertThat(all(after.table("notes", Entity.class))).isEqualTo(expected("first"));
    }

    @Test
    @DisplayName("RING-8: a process with another ring is refused")
    void aProcessWithAnotherRingIsRefused() {
        fill();

        assertThatThrownBy(() -> after.table("orders", Entity.class).find("p1", "r0001"))
                .isInstanceOf(RingMismatchException.class)
                .hasMessageContaining("a0*1@default,a1*1@default,a2*1@default every")
                .hasMessageContaining("STEADY[a0*1@default,a1*1@default every");
    }

    @Test
    @DisplayName("RING-7: writes of each verb go where the partition is")
    void writesOfEachVerbGoWhereThePartitionIs() {
        fill();
        RingTable<Entity> orders = changing.table("orders", Entity.class);
        move().run();
        // as after a rollback that has begun: partitions go by their place rows
        for (int i = 0; i < PARTITIONS; i++) {
            String partition = "p" + i;
            Entity fresh = Entity.builder(partition, "s")
                    .set("n", 1_000 + i)
                    .set("text", "x")
                    .build();
            orders.insert(fresh);
            orders.modify(
                    partition, "s", row -> row.toBuilder().set("text", "y").build());
            orders.transaction(partition)
                    .delete("s")
                    .insert(entity(2_000 + i, "z"))
                    .commit();
            assertThat(orders.find(partition, "s")).isEmpty();
            assertThat(orders.query().partition(partition).count()).isEqualTo(ROWS / PARTITIONS + 1);
        }
    }

    private StowlineRing mover(AtomicLong left, boolean applied) {
        return ring(r -> {
            for (int i = 0; i < 3; i++) {
                UnaryOperator<Stowline.Builder> client = RingBench.killed(accounts.get(i), left, applied);
                if (i < 2) {
                    r.account("a" + i, client, a -> a);
                } else {
                    r.joining("a2", client, a -> a);
                }
            }
            return r;
        });
    }

    @Test
    @DisplayName("RING-8: a process that checks less often than the mover waits does not use the ring")
    void aProcessThatChecksLessOftenDoesNotUseTheRing() {
        fill();
        StowlineRing seldom = StowlineRing.of(r -> account(account(r, 0), 1).checkEvery(CHECK.plusSeconds(1)));
        rings.add(seldom);
        RingTable<Entity> orders = seldom.table("orders", Entity.class);

        assertThatThrownBy(() -> orders.insert(entity(0, "late")))
                .isInstanceOf(RingMismatchException.class)
                .hasMessageContaining("every");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RING-7: a mover that is killed at each request goes on")
    void aMoverThatIsKilledAtEachRequestGoesOn(boolean applied) {
        fill();
        RingTable<Entity> orders = changing.table("orders", Entity.class);
        boolean back = true;
        boolean ended = false;
        for (int requests = 1; !ended; requests += requests < 60 ? 1 : 17) {
            // forth and back, and forth again where it was killed
            back = !back;
            AtomicLong left = new AtomicLong(requests);
            StowlineRing mover = mover(left, applied);
            RingMove move = mover.move().table("orders").longestCall(Duration.ZERO);
            try {
                if (back) {
                    move.rollback();
                } else {
                    move.run();
                }
                ended = left.get() > 0;
            } catch (RuntimeException e) {
                assertThat(left.get()).as("a failure without a kill: %s", e).isNotPositive();
            }
            Thread.interrupted();
            mover.close();
            if (requests % 7 == 0) {
                assertThat(orders.find("p3", "r0003")).isPresent();
            }
        }
        move().run();

        assertThat(all(orders)).isEqualTo(expected("first"));
        assertThat(all(after.table("orders", Entity.class))).isEqualTo(expected("first"));
        move().finish();
        assertThat(rowsByAccount().stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS);
    }

    @Test
    @DisplayName("RING-7: a table that is forgotten refuses the move")
    void aTableThatIsForgottenRefusesTheMove() {
        fill();
        before.table("notes", Entity.class).createIfMissing();

        assertThatThrownBy(() -> move().run())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("[notes]");
        move().without("notes").run();
    }

    @Test
    @DisplayName("RING-7: a ring that does not change has no move")
    void aRingThatDoesNotChangeHasNoMove() {
        assertThatThrownBy(before::move).isInstanceOf(IllegalStateException.class);
    }
}
