package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Entity;
import io.stowline.table.FlushReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.UncollectedFailuresException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class WriterIT extends StorageTest {

    @Test
    @DisplayName("BATCH-1, T12: every operation gets its own result, with its ETag, and few requests carry them")
    void groupsByPartition() throws Exception {
        Table<Runner> runners = freshTable(Runner.class);
        List<Submission<WriteResult>> submissions = new ArrayList<>();
        try (TableWriter<Runner> writer = runners.writer(w -> w.linger(Duration.ofSeconds(30)))) {
            for (int i = 0; i < 400; i++) {
                submissions.add(writer.insert(Runner.of("race " + i % 4, i)));
            }
            writer.flush();
            assertThat(writer.stats().requests()).isEqualTo(4);
            assertThat(writer.stats().operations()).isEqualTo(400);
            assertThat(writer.stats().retries()).isZero();
        }
        for (int i = 0; i < 400; i += 37) {
            Runner runner = Runner.of("race " + i % 4, i);
            StoredEntity<Runner> stored =
                    runners.find(runner.race(), runner.id()).orElseThrow();
            assertThat(stored.value()).isEqualTo(runner);
            assertThat(submissions.get(i).await().etag()).isEqualTo(stored.etag());
        }
    }

    @Test
    @DisplayName("BATCH-5: one bad operation does not fail its neighbours")
    void isolatesCulprits() {
        Table<Runner> runners = freshTable(Runner.class);
        runners.insert(Runner.of("race", 3));
        runners.insert(Runner.of("race", 71));
        List<Submission<WriteResult>> submissions = new ArrayList<>();
        TableWriter<Runner> writer = runners.writer(w -> w.linger(Duration.ofSeconds(30)));
        for (int i = 0; i < 100; i++) {
            submissions.add(writer.insert(Runner.of("race", i)));
        }
        FlushReport report = writer.flush();

        assertThat(report).isEqualTo(new FlushReport(98, 2));
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> submissions.get(71).await())
                .withMessageContaining("BIB:00071")
                .satisfies(e -> assertThat(e.failure().operation()).isEqualTo("insert"));
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> submissions.get(3).await());
        writer.close();
        assertThat(runners.query().partition("race").list()).hasSize(100);
    }

    @Test
    @DisplayName("BATCH-9: failures nobody took are thrown by close")
    void closeTellsWhatFailed() {
        Table<Runner> runners = freshTable(Runner.class);
        runners.insert(Runner.of("race", 1));
        TableWriter<Runner> writer = runners.writer();
        writer.insert(Runner.of("race", 1));
        writer.insert(Runner.of("race", 2));

        UncollectedFailuresException failures = catchThrowableOfType(UncollectedFailuresException.class, writer::close);

        assertThat(failures).isNotNull().hasMessageContaining("ConflictException");
        assertThat(runners.find("race", Runner.of("race", 2).id())).isPresent();
    }

    @Test
    @DisplayName("BATCH-5: a missing table breaks the writer instead of failing each operation slowly")
    void breaksOnMissingTable() {
        Table<Runner> nowhere = storage.table(freshName(), Runner.class);
        TableWriter<Runner> writer = nowhere.writer();
        Submission<WriteResult> first = writer.insert(Runner.of("race", 1));

        assertThatExceptionOfType(NotFoundException.class).isThrownBy(first::await);
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> writer.insert(Runner.of("race", 2)));
        writer.close();
    }

    @Test
    @DisplayName("BATCH-4: operations on one entity keep their order")
    void keepsOrderPerEntity() {
        Table<Entity> table = freshTable();
        try (TableWriter<Entity> writer = table.writer()) {
            for (int round = 0; round < 20; round++) {
                for (int row = 0; row < 10; row++) {
                    writer.insertOrReplace(
                            Entity.builder("p", "r" + row).set("round", round).build());
                }
            }
            for (int row = 0; row < 5; row++) {
                writer.delete("p", "r" + row);
            }
        }
        assertThat(table.query().list()).hasSize(5).allSatisfy(e -> assertThat(e.get("round"))
                .isEqualTo(19));
    }

    @Test
    void mixesVerbs() throws Exception {
        Table<Runner> runners = freshTable(Runner.class);
        Runner a = Runner.of("race", 1);
        Runner b = Runner.of("race", 2);
        StoredEntity<Runner> storedA = StoredEntity.of(a, runners.insert(a).etag());
        StoredEntity<Runner> storedB = StoredEntity.of(b, runners.insert(b).etag());
        try (TableWriter<Runner> writer = runners.writer(w -> w.linger(Duration.ofSeconds(30)))) {
            Submission<WriteResult> updated = writer.replace(storedA.with(a.aged(77)));
            Submission<WriteResult> deleted = writer.delete(storedB);
            Submission<WriteResult> merged = writer.insertOrMerge(Runner.of("race", 3));
            writer.flush();
            assertThat(updated.await().etag())
                    .isEqualTo(runners.find("race", a.id()).orElseThrow().etag());
            assertThat(deleted.await().etag()).isEmpty();
            assertThat(merged.await().etag()).isNotEmpty();
            assertThat(writer.stats().requests()).isEqualTo(1);
        }
        assertThat(runners.query().list()).extracting(Runner::age).containsExactly(77, 23);
    }

    @Test
    @DisplayName("BATCH-7: a Flux fills transactions by its concurrency and is answered one by one")
    void writesReactively() {
        Table<Runner> runners = freshTable(Runner.class);
        var writer = runners.reactive().writer();

        Long written = Flux.range(0, 1_000)
                .map(i -> Runner.of("race " + i % 3, i))
                .flatMap(writer::insert, 256)
                .count()
                .block();
        writer.close().block();

        assertThat(written).isEqualTo(1_000);
        assertThat(runners.query().list()).hasSize(1_000);
        assertThat(writer.stats().requests()).isLessThan(500);
    }

    @Test
    @DisplayName("BATCH-5: an explicit transaction is all or nothing and names the culprit")
    void commitsTransactions() {
        Table<Runner> runners = freshTable(Runner.class);
        Runner gone = Runner.of("race", 9);
        runners.insert(gone);

        List<WriteResult> written = runners.transaction("race")
                .insert(Runner.of("race", 1))
                .insertOrMerge(Runner.of("race", 2))
                .delete(gone.id())
                .commit();

        assertThat(written).hasSize(3);
        assertThat(written.get(0).etag())
                .isEqualTo(runners.find("race", Runner.of("race", 1).id())
                        .orElseThrow()
                        .etag());
        assertThatExceptionOfType(TransactionFailedException.class)
                .isThrownBy(() -> runners.transaction("race")
                        .insert(Runner.of("race", 3))
                        .insert(Runner.of("race", 2))
                        .commit())
                .satisfies(e -> assertThat(e.index()).isEqualTo(1))
                .withCauseInstanceOf(ConflictException.class);
        assertThat(runners.query().list()).hasSize(2);
    }

    @Test
    @DisplayName("T20: a transaction's limits are checked before anything is sent")
    void checksTransactionsFirst() {
        Table<Runner> nowhere = storage.table(freshName(), Runner.class);
        var transaction = nowhere.transaction("race").insert(Runner.of("race", 1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> transaction.insertOrMerge(Runner.of("race", 1)))
                .withMessageContaining("BIB:00001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> transaction.insert(Runner.of("other race", 2)))
                .withMessageContaining("other race");
        for (int i = 2; i <= 100; i++) {
            transaction.insert(Runner.of("race", i));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> transaction.insert(Runner.of("race", 101)))
                .withMessageContaining("100");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> nowhere.transaction("race").commit());
    }
}
