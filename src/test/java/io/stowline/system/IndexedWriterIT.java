package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.FlushReport;
import io.stowline.table.IndexedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.testkit.RecordedExchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;

/** Writers of entities with index rows. */
class IndexedWriterIT extends StorageTest {

    private static final Registration ANN = new Registration("race", "ann", 7, 31, "ann@x");
    private static final Registration BOB = new Registration("race", "bob", 12, 45, "pair@x");
    private static final Registration CAT = new Registration("race", "cat", 3, 31, "pair@x");

    private Table<Registration> table;
    private IndexedTable<Registration> runners;

    @BeforeEach
    void makeTable() {
        table = freshTable(Registration.class);
        runners = Registration.indexed(table);
    }

    /** A view with the parts of a registration that a change needs. */
    record Mail(
            @PartitionKey String race,
            @RowKey String id,
            @Nullable String mail) {}

    private void holds(Registration... entities) {
        assertThat(IndexedIT.rows(storage, table.name()))
                .containsExactlyElementsOf(Registration.rows(List.of(entities)));
        assertThat(runners.query().list()).containsExactlyInAnyOrder(entities);
        assertThat(runners.repair().clean()).isTrue();
    }

    private static List<WriteResult> results(List<Submission<WriteResult>> submitted) throws InterruptedException {
        List<WriteResult> results = new ArrayList<>();
        for (Submission<WriteResult> each : submitted) {
            results.add(each.await());
        }
        return results;
    }

    /** The row keys of the change set of each transaction, in the order of their requests. */
    private static List<List<String>> batches() {
        proxy().awaitIdle(Duration.ofSeconds(20));
        return proxy().recorded(requests().path("**/$batch")).stream()
                .map(RecordedExchange::request)
                .map(batch -> Pattern.compile("\"RowKey\":\"([^\"]*)\"")
                        .matcher(batch.text())
                        .results()
                        .map(found -> found.group(1))
                        .toList())
                .toList();
    }

    @Test
    @DisplayName("T12 BATCH-2: a thousand entities with two copies each take as many transactions as their rows fill")
    void requestsOfCopies() throws InterruptedException {
        IndexedTable<Registration> local = table.indexed(List.of(Registration.BIB, Registration.AGE));
        List<Registration> all = IntStream.range(0, 1_000)
                .mapToObj(Registration::of)
                .map(each -> each.mailed(null))
                .toList();
        proxy().awaitIdle(Duration.ofSeconds(20));
        proxy().clear();

        List<Submission<WriteResult>> submitted = new ArrayList<>();
        try (TableWriter<Registration> writer = local.writer()) {
            all.forEach(each -> submitted.add(writer.insert(each)));
            assertThat(results(submitted)).allMatch(written -> !written.etag().isEmpty());
            assertThat(writer.stats().operations()).isEqualTo(3_000);
        }

        assertThat(batches()).hasSizeBetween(31, 36).allMatch(rows -> rows.size() <= 100);
        assertThat(proxy().recorded()).hasSizeBetween(31, 36);
        assertThat(local.repair()).isEqualTo(new IndexedTable.IndexReport(1_000, 0, 0, 0, 0));
    }

    @Test
    @DisplayName("T11 T12: references of a partition travel together, before their entities and once more after them")
    void requestsOfReferences() throws InterruptedException {
        IndexedTable<Registration> mails = table.indexed(Registration.MAIL);
        List<Registration> all = IntStream.range(0, 500)
                .mapToObj(Registration::of)
                .map(each -> each.mailed("club@x"))
                .toList();
        proxy().awaitIdle(Duration.ofSeconds(20));
        proxy().clear();

        List<Submission<WriteResult>> submitted = new ArrayList<>();
        try (TableWriter<Registration> writer = mails.writer()) {
            all.forEach(each -> submitted.add(writer.insert(each)));
            results(submitted);
        }

        List<List<String>> batches = batches();
        assertThat(batches.stream().filter(rows -> rows.get(0).contains("!"))).hasSizeBetween(10, 20);
        assertThat(batches.stream().filter(rows -> !rows.get(0).contains("!"))).hasSizeBetween(5, 12);
        for (List<String> batch : batches) {
            if (!batch.get(0).contains("!")) {
                List<String> before = batches.subList(0, batches.indexOf(batch)).stream()
                        .flatMap(List::stream)
                        .toList();
                assertThat(before)
                        .containsAll(batch.stream().map(row -> "race!" + row).toList());
            }
        }
        assertThat(mails.global(Registration.MAIL, "club@x")).hasSize(500);
        assertThat(mails.repair()).isEqualTo(new IndexedTable.IndexReport(500, 0, 0, 0, 0));
    }

    @Test
    @DisplayName("T11 BATCH-5: a unique value that is taken fails its entity alone, and names the index")
    void culprits() throws InterruptedException {
        runners.insert(ANN);
        try (TableWriter<Registration> writer = runners.writer()) {
            Submission<WriteResult> first = writer.insert(CAT);
            Submission<WriteResult> taken = writer.insert(BOB.bib(7));
            Submission<WriteResult> there = writer.insert(ANN.bib(8));
            Submission<WriteResult> fine = writer.insert(BOB);
            first.await();
            assertThatExceptionOfType(ConflictException.class)
                    .isThrownBy(taken::await)
                    .withMessageContaining("unique index BIB")
                    .withMessageContaining("BIB:00007");
            assertThatExceptionOfType(ConflictException.class)
                    .isThrownBy(there::await)
                    .withMessageNotContaining("unique index");
            fine.await();
        }
        assertThat(runners.query().list()).containsExactlyInAnyOrder(ANN, BOB, CAT);
        assertThat(runners.find(Registration.BIB, "race", 7)).contains(ANN);
        assertThat(runners.repair().unresolved()).isZero();
    }

    @Test
    @DisplayName("T11: every write of a writer keeps the index rows, whatever was read before it")
    void everyVerb() throws InterruptedException {
        runners.insert(ANN);
        try (TableWriter<Registration> writer = runners.writer()) {
            writer.insertOrReplace(ANN.aged(32).mailed("new@x")).await();
            holds(ANN.aged(32).mailed("new@x"));
            writer.insertOrReplace(BOB).await();
            holds(ANN.aged(32).mailed("new@x"), BOB);

            StoredEntity<Registration> read = runners.find("race", "ann").orElseThrow();
            WriteResult written = writer.replace(read.with(ANN.bib(8))).await();
            holds(ANN.bib(8), BOB);
            writer.replace(StoredEntity.of(ANN.bib(9), written.etag())).await();
            holds(ANN.bib(9), BOB);
            writer.replace(StoredEntity.anyVersion(ANN)).await();
            holds(ANN, BOB);

            writer.delete(runners.find("race", "ann").orElseThrow()).await();
            holds(BOB);
            writer.delete("race", "bob").await();
            holds();
            writer.insert(CAT).await();
            writer.delete(CAT).await();
            holds();
            String etag = writer.insert(CAT).await().etag();
            writer.delete(StoredEntity.of(CAT.bib(99), etag)).await();
            holds();
        }
    }

    @Test
    @DisplayName("T11 MAP-1: a merge sets what it has, and the index rows hold all of the entity")
    void merges() throws InterruptedException {
        runners.insert(ANN);
        runners.insert(BOB);
        try (TableWriter<Registration> writer = runners.writer()) {
            StoredEntity<Registration> read = runners.find("race", "ann").orElseThrow();
            writer.merge(read.with(new Registration("race", "ann", 8, null, "new@x")))
                    .await();
            holds(new Registration("race", "ann", 8, 31, "new@x"), BOB);
            writer.merge(StoredEntity.anyVersion(new Registration("race", "bob", 12, 46, null)))
                    .await();
            holds(new Registration("race", "ann", 8, 31, "new@x"), BOB.aged(46));
            writer.insertOrMerge(new Registration("race", "bob", 13, null, null))
                    .await();
            holds(new Registration("race", "ann", 8, 31, "new@x"), BOB.aged(46).bib(13));
            writer.insertOrMerge(CAT).await();
            holds(new Registration("race", "ann", 8, 31, "new@x"), BOB.aged(46).bib(13), CAT);
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(writer.merge(read.with(ANN))::await);
        }
    }

    @Test
    @DisplayName("MAP-1: what is not there is not found, whichever way it is written")
    void missing() {
        runners.insert(BOB);
        try (TableWriter<Registration> writer = runners.writer()) {
            List<Submission<WriteResult>> all = List.of(
                    writer.replace(StoredEntity.anyVersion(ANN)),
                    writer.replace(StoredEntity.of(ANN, "W/\"datetime'2024-02-29T12%3A00%3A00.0000000Z'\"")),
                    writer.merge(StoredEntity.anyVersion(ANN)),
                    writer.merge(StoredEntity.of(ANN, "W/\"datetime'2024-02-29T12%3A00%3A00.0000000Z'\"")),
                    writer.delete(ANN),
                    writer.delete("race", "ann"),
                    writer.delete(StoredEntity.of(ANN, "W/\"datetime'2024-02-29T12%3A00%3A00.0000000Z'\"")));
            assertThat(all).allSatisfy(each -> assertThatExceptionOfType(NotFoundException.class)
                    .isThrownBy(each::await));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> writer.insert(new Registration("race", "BIB:1", 1, null, null)))
                    .withMessageContaining("index BIB");
        }
        assertThat(runners.query().list()).containsExactly(BOB);
    }

    @Test
    @DisplayName("BATCH-4: writes of one entity keep their order, and a unique value passes from one entity to another")
    void orderOfAnEntity() throws InterruptedException {
        List<Submission<WriteResult>> submitted = new ArrayList<>();
        try (TableWriter<Registration> writer = runners.writer()) {
            submitted.add(writer.insert(ANN));
            for (int i = 0; i < 20; i++) {
                submitted.add(writer.insertOrReplace(ANN.bib(100 + i).aged(i)));
                submitted.add(writer.delete(ANN));
                submitted.add(writer.insert(ANN.bib(200 + i)));
            }
            results(submitted);
            writer.insert(BOB).await();
            Submission<WriteResult> given = writer.insertOrReplace(BOB.bib(300));
            given.await();
            writer.insert(CAT.bib(12)).await();
        }
        holds(ANN.bib(219), BOB.bib(300), CAT.bib(12));
    }

    @Test
    @DisplayName("BATCH-9: a flush waits for all of it, also where it lingers, and a close leaves nothing behind")
    void flushAndClose() {
        List<Registration> all =
                IntStream.range(0, 150).mapToObj(Registration::of).toList();
        TableWriter<Registration> writer = runners.writer(settings -> settings.linger(Duration.ofMinutes(5)));
        List<Submission<WriteResult>> submitted = new ArrayList<>();
        all.subList(0, 100).forEach(each -> submitted.add(writer.insert(each)));
        FlushReport report = writer.flush();
        assertThat(report.completed()).isEqualTo(100);
        assertThat(submitted).allMatch(Submission::isDone);
        all.subList(100, 150).forEach(each -> submitted.add(writer.insert(each)));
        writer.close();
        assertThat(submitted).hasSize(150).allMatch(Submission::isDone);
        assertThat(writer.bufferedItems()).isZero();
        holds(all.toArray(Registration[]::new));
    }

    @Test
    @DisplayName("BATCH-1: a stream of writes gives a result for each, and refusals among them")
    void streams() {
        runners.insert(ANN);
        List<Registration> all =
                IntStream.range(20, 320).mapToObj(Registration::of).toList();
        try (TableWriter<Registration> writer = runners.writer()) {
            List<ItemResult<String, WriteResult>> results = writer.reactive()
                    .write(Flux.fromIterable(all)
                            .map(each -> TableOperation.insert(each).with(each.id()))
                            .concatWith(Flux.just(TableOperation.insert(ANN).with("again"))))
                    .collectList()
                    .block(Duration.ofSeconds(60));
            assertThat(results).hasSize(301);
            assertThat(results.stream().filter(each -> !each.succeeded()))
                    .singleElement()
                    .satisfies(each -> assertThat(each.item()).isEqualTo("again"));
        }
        assertThat(runners.query().count()).isEqualTo(301);
    }

    @ParameterizedTest
    @MethodSource("io.stowline.system.IndexedIT#seeds")
    @DisplayName("T11: random writes through a writer end as they would one after the other")
    void model(long seed) {
        Random random = new Random(seed);
        TreeMap<String, Registration> model = new TreeMap<>();
        try (TableWriter<Registration> writer = runners.writer()) {
            for (int round = 0; round < 6; round++) {
                List<Runnable> checks = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    checks.add(step(writer, random, model));
                }
                checks.forEach(Runnable::run);
            }
        }
        holdsAtLeast(model.values());
    }

    /** An insert that is refused has written its references, which lead nowhere and harm nothing. */
    private void holdsAtLeast(Collection<Registration> entities) {
        List<String> rows = IndexedIT.rows(storage, table.name());
        SortedSet<String> wanted = Registration.rows(entities);
        assertThat(rows).containsAll(wanted);
        assertThat(rows.stream().filter(row -> !row.startsWith("MAIL:")))
                .containsExactlyElementsOf(
                        wanted.stream().filter(row -> !row.startsWith("MAIL:")).toList());
        assertThat(runners.query().list()).containsExactlyInAnyOrderElementsOf(entities);
        for (int i = 0; i < 3; i++) {
            String mail = "m" + i + "@x";
            assertThat(runners.global(Registration.MAIL, mail).map(StoredEntity::value))
                    .containsExactlyInAnyOrderElementsOf(entities.stream()
                            .filter(each -> mail.equals(each.mail()))
                            .toList());
        }
        assertThat(runners.repair().clean()).isTrue();
    }

    /** Bibs are those of the entities, so that only keys collide. */
    private Runnable step(TableWriter<Registration> writer, Random random, Map<String, Registration> model) {
        int number = random.nextInt(12);
        Registration next = new Registration(
                "race",
                "r" + number,
                number + 20 * random.nextInt(3),
                random.nextBoolean() ? null : 20 + random.nextInt(4),
                random.nextBoolean() ? null : "m" + random.nextInt(3) + "@x");
        Registration before = model.get(next.id());
        Submission<WriteResult> submitted;
        boolean fine;
        switch (random.nextInt(5)) {
            case 0 -> {
                submitted = writer.insert(next);
                fine = before == null;
                model.putIfAbsent(next.id(), next);
            }
            case 1 -> {
                submitted = writer.insertOrReplace(next);
                fine = true;
                model.put(next.id(), next);
            }
            case 2 -> {
                submitted = writer.replace(StoredEntity.anyVersion(next));
                fine = model.replace(next.id(), next) != null;
            }
            case 3 -> {
                submitted = writer.insertOrMerge(next);
                fine = true;
                model.put(next.id(), before == null ? next : merged(before, next));
            }
            default -> {
                submitted = writer.delete(next);
                fine = model.remove(next.id()) != null;
            }
        }
        return () -> {
            if (fine) {
                try {
                    submitted.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            } else {
                assertThat(catchThrowable(submitted::await))
                        .isInstanceOfAny(ConflictException.class, NotFoundException.class);
            }
        };
    }

    private static Registration merged(Registration before, Registration set) {
        return before.bib(set.bib())
                .aged(set.age() == null ? before.age() : set.age())
                .mailed(set.mail() == null ? before.mail() : set.mail());
    }
}
