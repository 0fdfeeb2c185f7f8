package io.stowline.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.error.StorageInterruptedException;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.RowPrefix;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class RingQueryTest {

    private static final Comparator<Entity> BY_KEYS =
            Comparator.comparing(Entity::partitionKey).thenComparing(Entity::rowKey);

    /** A runner of a race. */
    public record Runner(@PartitionKey String race, @RowKey String bib, int age) {}

    /** A view without a key. */
    public record Age(int age) {}

    @Property(tries = 40)
    void aMergedQueryIsTheSortedUnion(
            @ForAll @IntRange(min = 1, max = 5) int accounts,
            @ForAll @Size(max = 60) Set<@IntRange(max = 999) Integer> numbers,
            @ForAll @IntRange(min = 1, max = 7) int pageSize) {
        try (RingBench bench = new RingBench(accounts)) {
            RingTable<Entity> table = bench.ring().table("rows", Entity.class);
            table.createIfMissing();
            List<Entity> all = numbers.stream()
                    .map(number -> Entity.builder("p" + number / 10, "r" + number % 10)
                            .set("n", number)
                            .build())
                    .toList();
            all.forEach(table::insert);
            List<Entity> sorted = all.stream().sorted(BY_KEYS).toList();

            assertThat(table.query().pageSize(pageSize).list()).isEqualTo(sorted);
            assertThat(table.query().pageSize(pageSize).unordered().list()).containsExactlyInAnyOrderElementsOf(sorted);
            assertThat(table.query().pageSize(pageSize).count()).isEqualTo(sorted.size());
            assertThat(table.query().limit(5).pageSize(pageSize).list())
                    .isEqualTo(sorted.stream().limit(5).toList());
            assertThat(table.query().unordered().limit(5).list()).hasSize(Math.min(5, sorted.size()));
            assertThat(table.query().limit(5).count()).isEqualTo(Math.min(5, sorted.size()));
        }
    }

    private static RingTable<Runner> runners(RingBench bench) {
        RingTable<Runner> runners = bench.ring().table("runners", Runner.class);
        runners.createIfMissing();
        for (int race = 0; race < 12; race++) {
            for (int bib = 0; bib < 10; bib++) {
                runners.insert(new Runner("race" + (char) ('a' + race), (bib % 2 == 0 ? "X" : "Y") + bib, 20 + bib));
            }
        }
        return runners;
    }

    @Test
    void narrowsByKeysAndConditions() {
        try (RingBench bench = new RingBench(3)) {
            RingTable<Runner> runners = runners(bench);

            assertThat(runners.query().partition("racec").list()).hasSize(10);
            assertThat(runners.query().rowPrefix("X").list())
                    .hasSize(60)
                    .isSortedAccordingTo(Comparator.comparing(Runner::race).thenComparing(Runner::bib))
                    .allMatch(runner -> runner.bib().startsWith("X"));
            assertThat(runners.query().partition("racec").rowRange("X4", "Y3").list())
                    .extracting(Runner::bib)
                    .containsExactly("X4", "X6", "X8", "Y1");
            assertThat(runners.query()
                            .where(runners.property("age").atLeast(25))
                            .where(runners.property("age").lessThan(27))
                            .list())
                    .hasSize(24)
                    .allMatch(runner -> runner.age() == 25 || runner.age() == 26);
            assertThat(runners.query()
                            .where(runners.property("age").equalTo(29))
                            .first())
                    .contains(new Runner("racea", "Y9", 29));
            assertThat(runners.query().partition("nowhere").first()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file.", "a>", "b\"", "c["})
    void takesPrefixesBeforeACharacterThatNoKeyHas(String prefix) {
        try (RingBench bench = new RingBench(2)) {
            RingTable<Runner> runners = bench.ring().table("runners", Runner.class);
            runners.createIfMissing();
            runners.insert(new Runner("race", prefix + "1", 30));
            runners.insert(new Runner("race", prefix.substring(0, prefix.length() - 1), 31));

            assertThat(runners.query().rowPrefix(prefix).list()).containsExactly(new Runner("race", prefix + "1", 30));
        }
    }

    @Test
    void projects() {
        try (RingBench bench = new RingBench(3)) {
            RingTable<Runner> runners = runners(bench);

            assertThat(runners.query().select("age").limit(1).list())
                    .singleElement()
                    .satisfies(entity -> {
                        assertThat(entity.partitionKey()).isEqualTo("racea");
                        assertThat(entity.get("age")).isEqualTo(20);
                    });
            assertThat(runners.query().streamStored().map(StoredEntity::etag))
                    .hasSize(120)
                    .doesNotContain("");
            assertThat(runners.query().partition("racea").as(Age.class).list())
                    .contains(new Age(20))
                    .hasSize(10);
            assertThat(runners.query().unordered().as(Age.class).list()).hasSize(120);
            RingQuery<Age> merged = runners.query().as(Age.class);
            assertThatIllegalStateException().isThrownBy(merged::stream).withMessageContaining("unordered()");
            assertThatIllegalStateException().isThrownBy(merged::streamStored);
            assertThat(merged.count()).isEqualTo(120);
        }
    }

    @Test
    void refusesBadStepsAtOnce() {
        try (RingBench bench = new RingBench(2)) {
            RingTable<Runner> runners = bench.ring().table("runners", Runner.class);
            RingQuery<Runner> query = runners.query();

            assertThatIllegalStateException()
                    .isThrownBy(() -> query.partition("a").partition("b"));
            assertThatIllegalStateException()
                    .isThrownBy(() -> query.rowPrefix("a").rowRange("a", "b"));
            assertThatIllegalArgumentException().isThrownBy(() -> query.rowRange("b", "a"));
            assertThatIllegalArgumentException().isThrownBy(() -> query.limit(0));
            assertThatIllegalArgumentException().isThrownBy(() -> query.pageSize(1001));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> query.where(runners.property("age").equalTo("text")));
            assertThat(bench.accounts()).allMatch(memory -> memory.requests().isEmpty());
        }
    }

    @Test
    void anAccountThatFailsEndsTheQueryAndIsNamed() {
        try (RingBench bench = new RingBench(3)) {
            RingTable<Runner> runners = runners(bench);
            bench.account("a1").refuseNext("GET", "/runners", 403, "AuthorizationFailure");

            Throwable failure = catchThrowable(() -> runners.query().list());

            assertThat(FailedAccountException.accountOf(failure)).contains("a1");
            assertThat(runners.query().list()).hasSize(120);
        }
    }

    @Test
    void readsAheadWithinBounds() {
        try (RingBench bench = new RingBench(2)) {
            RingTable<Entity> table = bench.ring().table("wide", Entity.class);
            table.createIfMissing();
            try (RingWriter<Entity> writer = table.writer()) {
                IntStream.range(0, 3_000)
                        .forEach(i -> writer.insert(Entity.builder("p" + i, "r").build()));
            }
            try (Stream<Entity> rows = table.query().pageSize(100).stream()) {
                Iterator<Entity> some = rows.iterator();
                some.next();
                assertThat(bench.requests("a0", "wide()")).isLessThanOrEqualTo(4);
                assertThat(bench.requests("a1", "wide()")).isLessThanOrEqualTo(4);
            }
            int read = bench.requests("a0", "wide()") + bench.requests("a1", "wide()");
            assertThat(table.query().pageSize(100).stream()).hasSize(3_000);
            assertThat(read).isLessThanOrEqualTo(8);
        }
    }

    @Test
    void aClosedReadingIsNoEnd() {
        try (RingBench bench = new RingBench(2)) {
            Stream<Runner> rows = runners(bench).query().pageSize(2).stream();
            Iterator<Runner> some = rows.iterator();
            some.next();
            rows.close();

            assertThatIllegalStateException().isThrownBy(some::hasNext).withMessageContaining("closed");
        }
    }

    @Test
    void anInterruptEndsTheWait() throws InterruptedException {
        CountDownLatch sent = new CountDownLatch(1);
        try (RingBench bench = new RingBench(2, http -> request -> {
            if (request.getUrl().getPath().contains("Tables")) {
                return http.send(request);
            }
            sent.countDown();
            return Mono.never();
        })) {
            RingTable<Runner> runners = bench.ring().table("runners", Runner.class);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread reader = new Thread(
                    () -> failure.set(catchThrowable(() -> runners.query().list())));
            reader.start();
            sent.await();
            reader.interrupt();
            reader.join();

            assertThat(failure.get()).isInstanceOf(StorageInterruptedException.class);
        }
    }

    @Test
    void anEventLoopIsNotBlocked() {
        try (RingBench bench = new RingBench(2)) {
            RingTable<Runner> runners = runners(bench);

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> Mono.fromCallable(() -> runners.query().list())
                            .subscribeOn(Schedulers.parallel())
                            .block())
                    .withMessageContaining("must not block");
        }
    }

    @Test
    void sealedTypesMergeByTheKeysOfTheirRows() {
        try (RingBench bench = new RingBench(3)) {
            RingTable<Entity> rows = bench.ring().table("rows", Entity.class);
            rows.createIfMissing();
            Set<String> keys = new TreeSet<>();
            for (int i = 0; i < 20; i++) {
                rows.insert(Entity.builder("p" + i, (i % 2 == 0 ? "dog-" : "cat-") + i)
                        .set("name", "n")
                        .build());
                keys.add("p" + i);
            }
            assertThat(rows.query().as(Dog.class).count()).isEqualTo(10);
            assertThat(rows.query().as(Dog.class).list()).hasSize(10);
            RingTable<Animal> animals = bench.ring().table("rows", Animal.class);

            assertThat(animals.query().list()).extracting(Animal::owner).containsExactlyElementsOf(keys);
            animals.insert(new Dog("p1", "dog-x", "n"));
            assertThat(animals.find("p1", "dog-x")).isPresent();
        }
    }

    /** An animal of an owner. */
    public sealed interface Animal permits Dog, Cat {
        /** Returns the owner. */
        String owner();
    }

    /** A dog. */
    @RowPrefix("dog-")
    public record Dog(@PartitionKey String owner, @RowKey String id, String name) implements Animal {}

    /** A cat. */
    @RowPrefix("cat-")
    public record Cat(@PartitionKey String owner, @RowKey String id, String name) implements Animal {}
}
