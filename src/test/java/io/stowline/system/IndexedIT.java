package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.ScanPolicy;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestHold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexedIT extends StorageTest {

    private static final Registration ANN = new Registration("race", "ann", 7, 31, "ann@x");
    private static final Registration BOB = new Registration("race", "bob", 12, 45, "pair@x");
    private static final Registration CAT = new Registration("race", "cat", 3, 31, "pair@x");
    private static final Registration OTHER = new Registration("other", "dan", 7, null, "pair@x");

    private Table<Registration> table;
    private IndexedTable<Registration> runners;

    @BeforeEach
    void makeTable() {
        table = freshTable(Registration.class);
        runners = Registration.indexed(table);
    }

    private void insertAll() {
        for (Registration each : List.of(ANN, BOB, CAT, OTHER)) {
            runners.insert(each);
        }
    }

    private List<String> rows() {
        return rows(storage, table.name());
    }

    static List<String> rows(Stowline client, String name) {
        return client.table(name).query().list().stream()
                .map(row -> row.partitionKey() + " | " + row.rowKey())
                .sorted()
                .toList();
    }

    private void holds(Registration... entities) {
        assertThat(rows()).containsExactlyElementsOf(Registration.rows(List.of(entities)));
    }

    private StoredEntity<Registration> stored(Registration each) {
        return runners.find(each.race(), each.id()).orElseThrow();
    }

    @Test
    @DisplayName("T11: an entity is found by each of its indexes")
    void findsByEachIndex() {
        insertAll();

        assertThat(runners.find("race", "ann")).map(StoredEntity::value).contains(ANN);
        assertThat(runners.find(Registration.BIB, "race", 12)).contains(BOB);
        assertThat(runners.find(Registration.BIB, "other", 12)).isEmpty();
        assertThat(runners.stream(Registration.AGE, "race")).containsExactly(ANN, CAT, BOB);
        assertThat(runners.stream(Registration.AGE, "race", 31)).containsExactly(ANN, CAT);
        assertThat(runners.range(Registration.AGE, "race", 32, 46)).containsExactly(BOB);
        assertThat(runners.range(Registration.BIB, "race", 3, 12)).containsExactly(CAT, ANN);
        assertThat(runners.rangeFrom(Registration.BIB, "race", 7)).containsExactly(ANN, BOB);
        assertThat(runners.rangeFrom(Registration.AGE, "race", 999)).isEmpty();
        assertThat(runners.global(Registration.MAIL, "pair@x").map(StoredEntity::value))
                .containsExactly(OTHER, BOB, CAT);
        assertThat(runners.global(Registration.MAIL, "pair")).isEmpty();
        assertThat(runners.query().list()).containsExactlyInAnyOrder(ANN, BOB, CAT, OTHER);
        assertThat(runners.query().partition("race").list()).containsExactly(ANN, BOB, CAT);
        holds(ANN, BOB, CAT, OTHER);
    }

    @Test
    @DisplayName("T11: both faces find the same")
    void reactiveFace() {
        var reactive = runners.reactive();
        Duration guard = Duration.ofSeconds(30);
        reactive.insert(ANN).then(reactive.insertOrReplace(BOB)).block(guard);

        assertThat(reactive.find(Registration.BIB, "race", 7).block(guard)).isEqualTo(ANN);
        assertThat(reactive.stream(Registration.AGE, "race").collectList().block(guard))
                .containsExactly(ANN, BOB);
        assertThat(reactive.stream(Registration.AGE, "race", 31).collectList().block(guard))
                .containsExactly(ANN);
        assertThat(reactive.range(Registration.AGE, "race", 40, 50)
                        .collectList()
                        .block(guard))
                .containsExactly(BOB);
        assertThat(reactive.rangeFrom(Registration.AGE, "race", 0).collectList().block(guard))
                .containsExactly(ANN, BOB);
        assertThat(reactive.global(Registration.MAIL, "ann@x")
                        .map(StoredEntity::value)
                        .collectList()
                        .block(guard))
                .containsExactly(ANN);
        assertThat(reactive.query().list().block(guard)).containsExactly(ANN, BOB);
        reactive.find("race", "ann")
                .flatMap(found -> reactive.replace(found.with(ANN.bib(70))))
                .then(reactive.find("race", "bob"))
                .flatMap(reactive::delete)
                .block(guard);
        holds(ANN.bib(70));
        assertThat(reactive.repair("race").block(guard).clean()).isTrue();
        assertThat(reactive.repair().block(guard).entities()).isEqualTo(1);
    }

    @Test
    @DisplayName("T4, T12: one transaction for the entity and its rows beside it, whatever the write")
    void oneTransactionForEachWrite() {
        proxy().clear();
        runners.insert(ANN);
        assertThat(batches()).containsExactly("POST POST PUT");

        proxy().clear();
        runners.insertOrReplace(ANN.aged(32));
        assertThat(batches()).containsExactly("PUT PUT PUT DELETE");

        proxy().clear();
        runners.replace(stored(ANN).with(ANN.bib(8).aged(null)));
        assertThat(batches()).containsExactly("PUT POST DELETE DELETE");

        proxy().clear();
        runners.delete(stored(ANN));
        assertThat(batches()).containsExactly("DELETE DELETE");
        holds();
    }

    /** The methods of each transaction that was sent. */
    private static List<String> batches() {
        proxy().awaitIdle(Duration.ofSeconds(20));
        return proxy().recorded(requests().path("**/$batch")).stream()
                .map(RecordedExchange::request)
                .map(batch -> String.join(
                        " ",
                        Pattern.compile("^(POST|PUT|MERGE|DELETE) http", Pattern.MULTILINE)
                                .matcher(batch.text())
                                .results()
                                .map(found -> found.group(1))
                                .toList()))
                .toList();
    }

    @Test
    @DisplayName("T11: a lookup by an index beside the entity is one request")
    void oneRequestForEachLookup() {
        insertAll();
        proxy().awaitIdle(Duration.ofSeconds(20));
        proxy().clear();

        assertThat(runners.find(Registration.BIB, "race", 12)).isPresent();
        assertThat(runners.stream(Registration.AGE, "race", 31)).hasSize(2);
        proxy().awaitIdle(Duration.ofSeconds(20));

        assertThat(proxy().recorded()).hasSize(2);
    }

    @Test
    @DisplayName("T11: a unique value that is taken is a conflict that names the index, and nothing is written")
    void uniqueIndex() {
        runners.insert(ANN.mailed(null));
        Registration rival = BOB.bib(7).mailed(null);

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> runners.insert(rival))
                .withMessageContaining("unique index BIB")
                .withMessageContaining("BIB:00007");
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> runners.insertOrReplace(rival))
                .withMessageContaining("unique index BIB");
        runners.insert(BOB.mailed(null));
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> runners.replace(stored(BOB).with(rival)))
                .withMessageContaining("unique index BIB");
        holds(ANN.mailed(null), BOB.mailed(null));
    }

    @Test
    @DisplayName("MAP-1: what has changed since it was read is refused, and nothing of it is written")
    void conditional() {
        runners.insert(ANN);
        StoredEntity<Registration> first = stored(ANN);
        runners.replace(first.with(ANN.bib(8)));

        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> runners.replace(first.with(ANN.bib(9))));
        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> runners.delete(first));
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> runners.insert(ANN))
                .withMessageNotContaining("unique index");
        holds(ANN.bib(8));
        runners.delete(stored(ANN));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> runners.delete(first));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> runners.replace(first.with(ANN)));
        holds();
    }

    @Test
    @DisplayName("T11: an index row that is missing keeps nobody from changing or removing the entity")
    void missingRows() {
        runners.insert(ANN);
        table.delete("race", "BIB:00007");
        table.delete("race", "AGE:031!ann");
        runners.replace(stored(ANN).with(ANN.aged(32)));
        holds(ANN.aged(32));

        table.delete("race", "BIB:00007");
        table.delete("MAIL:ann@x", "race!ann");
        runners.delete(stored(ANN));
        holds();
    }

    @Test
    @DisplayName("T11: what points to nothing is passed over")
    void leftovers() {
        runners.insert(ANN);
        table.delete("race", "ann");
        assertThat(runners.global(Registration.MAIL, "ann@x")).isEmpty();

        runners.insertOrReplace(ANN.bib(8).mailed("new@x"));
        assertThat(runners.global(Registration.MAIL, "ann@x")).isEmpty();
        assertThat(runners.global(Registration.MAIL, "new@x").map(StoredEntity::value))
                .containsExactly(ANN.bib(8).mailed("new@x"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "T11: a delete that looked before an insert was done leaves the entity found, wherever the insert ends")
    void deleteBesideInsert(boolean ends) {
        runners.insert(ANN);
        StoredEntity<Registration> old = stored(ANN);
        RequestHold insertion = new RequestHold();
        RequestHold removal = new RequestHold();
        FaultRule batch = proxy().when(
                        requests().path("**/$batch").bodyContaining("POST http").times(1))
                .holdBefore(insertion);
        FaultRule reference = proxy().when(requests().method("DELETE").times(1)).holdBefore(removal);
        try (Stowline other = client(connectionString())) {
            var inserted = Registration.indexed(other.table(table.name(), Registration.class))
                    .reactive()
                    .insert(ANN)
                    .toFuture();
            insertion.awaitArrived(Duration.ofSeconds(30));
            var deleted = runners.reactive().delete(old).toFuture();
            removal.awaitArrived(Duration.ofSeconds(30));
            FaultRule end = ends ? proxy().when(requests().method("PUT")).reset() : null;
            insertion.release();
            inserted.join();
            if (end != null) {
                end.remove();
            }
            removal.release();
            deleted.join();
        } finally {
            batch.remove();
            reference.remove();
        }

        assertThat(runners.global(Registration.MAIL, "ann@x").map(StoredEntity::value))
                .containsExactly(ANN);
        holds(ANN);
    }

    @Test
    @DisplayName("T11: a repair that looked before a writer writes nothing that the writer has made wrong")
    void repairBesideWriter() {
        runners.insert(ANN);
        table.delete("race", "AGE:031!ann");
        RequestHold mending = new RequestHold();
        FaultRule batch = proxy().when(requests()
                        .path("**/$batch")
                        .bodyContaining("MERGE http")
                        .times(1))
                .holdBefore(mending);
        try (Stowline other = client(connectionString())) {
            var repaired = Registration.indexed(other.table(table.name(), Registration.class))
                    .reactive()
                    .repair("race")
                    .toFuture();
            mending.awaitArrived(Duration.ofSeconds(30));
            runners.replace(stored(ANN).with(ANN.aged(32)));
            mending.release();
            assertThat(repaired.join()).isEqualTo(new IndexReport(1, 0, 0, 0, 0));
        } finally {
            batch.remove();
        }
        holds(ANN.aged(32));
    }

    @Test
    @DisplayName("T11: a table that is there already gets its index rows, also where scans are refused")
    void existingTable() {
        List<Registration> all =
                IntStream.range(0, 30).mapToObj(Registration::of).toList();
        all.forEach(table::insert);
        IndexedTable<Registration> careful = Registration.indexed(table.withScanPolicy(ScanPolicy.REFUSE));

        assertThat(careful.repair()).isEqualTo(new IndexReport(30, 90, 0, 0, 0));
        holds(all.toArray(Registration[]::new));
        assertThat(careful.repair().clean()).isTrue();
    }

    @Test
    @DisplayName("T11, T18: beside each other, several processes and a repair leave nothing to be found wrong")
    void besideEachOther() {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        try (Stowline other = client(connectionString())) {
            IndexedTable<Registration> elsewhere = Registration.indexed(other.table(table.name(), Registration.class));
            for (IndexedTable<Registration> each : List.of(runners, elsewhere, runners, elsewhere)) {
                long seed = running.size();
                running.add(CompletableFuture.runAsync(() -> writes(each, new Random(seed))));
            }
            running.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 10; i++) {
                    elsewhere.repair();
                }
            }));
            running.forEach(CompletableFuture::join);
        }

        List<Registration> all = runners.query().list();
        all.forEach(this::foundByAll);
        assertThat(runners.stream(Registration.BIB, "race")).containsExactlyInAnyOrderElementsOf(all);
        try (Stowline later = IndexedCrashIT.later(connectionString())) {
            IndexReport report = Registration.indexed(later.table(table.name(), Registration.class))
                    .repair();
            assertThat(report.added() + report.rewritten() + report.unresolved())
                    .as("%s", report)
                    .isZero();
        }
        assertThat(rows()).containsExactlyElementsOf(Registration.rows(all));
    }

    private static void writes(IndexedTable<Registration> runners, Random random) {
        for (int i = 0; i < 60; i++) {
            Registration next = next(random, "race");
            try {
                Optional<StoredEntity<Registration>> stored = runners.find("race", next.id());
                switch (random.nextInt(3)) {
                    case 0 -> runners.insertOrReplace(next);
                    case 1 -> stored.ifPresent(found -> runners.replace(found.with(next)));
                    default -> stored.ifPresent(runners::delete);
                }
            } catch (ConflictException | PreconditionFailedException | NotFoundException e) {
                assertThat(e.failure().unansweredAttempts()).isZero();
            }
        }
    }

    /** The seeds of random writes. */
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 2L * Integer.getInteger("stowline.explore", 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName("T11: after random writes the table holds what the model says, and a repair has nothing to do")
    void randomWrites(long seed) {
        Random random = new Random(seed);
        Map<String, Registration> model = new TreeMap<>();
        for (int i = 0; i < 80; i++) {
            step(random, model);
        }

        assertThat(rows()).containsAll(Registration.rows(model.values()));
        assertThat(rows().stream().filter(row -> !row.startsWith("MAIL:")))
                .containsExactlyElementsOf(Registration.rows(
                        model.values().stream().map(each -> each.mailed(null)).toList()));
        assertThat(runners.query().list()).containsExactlyInAnyOrderElementsOf(model.values());
        var report = runners.repair();
        assertThat(report.clean()).as("%s", report).isTrue();
        assertThat(report.entities()).isEqualTo(model.size());
        model.values().forEach(this::foundByAll);
    }

    private static Registration next(Random random, String race) {
        return new Registration(
                race,
                "r" + random.nextInt(4),
                random.nextInt(6),
                random.nextInt(3) == 0 ? null : 30 + random.nextInt(3),
                random.nextInt(3) == 0 ? null : "m" + random.nextInt(2));
    }

    private void step(Random random, Map<String, Registration> model) {
        Registration next = next(random, random.nextBoolean() ? "race" : "heat");
        String key = next.race() + next.id();
        boolean taken = model.values().stream()
                .anyMatch(other -> other.race().equals(next.race())
                        && other.bib() == next.bib()
                        && !other.id().equals(next.id()));
        try {
            switch (random.nextInt(4)) {
                case 0 -> runners.insert(next);
                case 1 -> runners.insertOrReplace(next);
                case 2 -> runners.replace(stored(next).with(next));
                default -> {
                    runners.delete(stored(next));
                    model.remove(key);
                    return;
                }
            }
            assertThat(taken).isFalse();
            model.put(key, next);
        } catch (ConflictException e) {
            assertThat(taken || model.containsKey(key)).isTrue();
        } catch (NoSuchElementException e) {
            assertThat(model).doesNotContainKey(key);
        }
    }

    private void foundByAll(Registration each) {
        assertThat(runners.find(Registration.BIB, each.race(), each.bib())).contains(each);
        if (each.age() != null) {
            assertThat(runners.stream(Registration.AGE, each.race(), each.age()))
                    .contains(each);
        }
        if (each.mail() != null) {
            assertThat(runners.global(Registration.MAIL, each.mail()).map(StoredEntity::value))
                    .contains(each);
        }
    }

    @Test
    @DisplayName("T11: repair adds, rewrites and removes, and has nothing to do the second time")
    void repairs() {
        insertAll();
        table.replace(StoredEntity.anyVersion(ANN.aged(50)));
        table.delete("race", "bob");
        table.delete("race", "BIB:00003");
        table.delete("MAIL:pair@x", "race!cat");

        var report = runners.repair("race");
        assertThat(report).isEqualTo(new IndexReport(2, 3, 3, 1, 0));
        assertThat(runners.repair("race").clean()).isTrue();
        assertThat(runners.repair().clean()).isTrue();
        assertThat(rows()).containsAll(Registration.rows(List.of(ANN.aged(50), CAT, OTHER)));
        foundByAll(ANN.aged(50));
        foundByAll(CAT);

        try (Stowline later = IndexedCrashIT.later(connectionString())) {
            IndexedTable<Registration> then = Registration.indexed(later.table(table.name(), Registration.class));
            assertThat(then.repair()).isEqualTo(new IndexReport(3, 0, 1, 0, 0));
            assertThat(then.repair().clean()).isTrue();
        }
        holds(ANN.aged(50), CAT, OTHER);
    }
}
