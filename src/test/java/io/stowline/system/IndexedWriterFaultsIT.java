package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.IndexedTable;
import io.stowline.table.LeftoverException;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** Writers of entities with index rows where responses are lost, requests hang, and callers go away. */
class IndexedWriterFaultsIT extends StorageTest {

    private static final Duration GUARD = Duration.ofSeconds(30);

    private Table<Registration> table;
    private IndexedTable<Registration> runners;

    @BeforeEach
    void makeTable() {
        table = freshTable(Registration.class);
        runners = Registration.indexed(table);
    }

    @Test
    @DisplayName("T11 OUTCOME-1: with responses lost, results are true and no entity lacks an index row")
    void lostResponses() throws InterruptedException {
        List<Registration> all =
                IntStream.range(0, 120).mapToObj(Registration::of).toList();
        FaultRule lost = proxy().when(
                        requests().path("**/$batch").bodyContaining("BIB:").every(2))
                .loseResponse();
        List<Submission<WriteResult>> submitted = new ArrayList<>();
        try (TableWriter<Registration> writer = runners.writer()) {
            all.forEach(each -> submitted.add(writer.insert(each)));
            for (Submission<WriteResult> each : submitted) {
                each.await();
            }
        } finally {
            lost.remove();
        }
        assertThat(lost.hits()).isPositive();
        assertThat(IndexedIT.rows(storage, table.name())).containsExactlyElementsOf(Registration.rows(all));
        assertThat(runners.repair().clean()).isTrue();
    }

    @Test
    @DisplayName("BATCH-9: a close that is not waited for longer ends what hangs, and sends nothing after it")
    void closesWithWhatHangs() {
        RequestHold hang = new RequestHold();
        FaultRule references = proxy().when(requests().bodyContaining("MAIL:")).holdBefore(hang);
        TableWriter<Registration> writer = runners.writer(settings -> settings.closeTimeout(Duration.ofMillis(300)));
        List<Submission<WriteResult>> submitted = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            submitted.add(writer.insert(Registration.of(i).mailed("club@x")));
        }
        hang.awaitArrived(GUARD);
        Throwable failures = catchThrowable(writer::close);

        assertThat(failures).isNotNull();
        assertThat(submitted).allSatisfy(each -> assertThatExceptionOfType(LeftoverException.class)
                .isThrownBy(each::await));
        assertThat(writer.bufferedItems()).isZero();
        references.remove();
        hang.release();
        proxy().awaitIdle(GUARD);
        assertThat(runners.query().list()).isEmpty();
    }

    @Test
    @DisplayName(
            "BATCH-8: who cancels during the steps of a write is gone, and its index rows are written all the same")
    void cancels() throws InterruptedException {
        RequestHold hang = new RequestHold();
        FaultRule references =
                proxy().when(requests().bodyContaining("MAIL:slow@x").times(1)).holdBefore(hang);
        try (TableWriter<Registration> writer = runners.writer()) {
            Disposable slow = writer.reactive()
                    .insert(Registration.of(1).mailed("slow@x"))
                    .subscribe(written -> {}, failure -> {});
            hang.awaitArrived(GUARD);
            writer.insert(Registration.of(2)).await();
            slow.dispose();
            hang.release();
            references.remove();
            writer.insertOrReplace(Registration.of(1).bib(9)).await();
            writer.flush();
        }
        proxy().awaitIdle(GUARD);
        assertThat(runners.find("race", "r1").map(StoredEntity::value))
                .contains(Registration.of(1).bib(9));
        assertThat(runners.repair().clean()).isTrue();
    }

    @Test
    @DisplayName("BATCH-5: a writer of a table that is gone fails what it has, and refuses what comes")
    void doomed() {
        TableWriter<Registration> writer = runners.writer();
        table.drop();
        Submission<WriteResult> first = writer.insert(Registration.of(1));
        assertThat(catchThrowable(first::await)).hasMessageContaining("TableNotFound");
        assertThat(catchThrowable(() -> writer.insert(Registration.of(2)).await()))
                .hasMessageContaining("TableNotFound");
        writer.takeFailures();
        assertThat(catchThrowable(writer::close)).isNull();
    }

    @Test
    @DisplayName("BATCH-9: the client's close ends its writers of indexed tables, too")
    void closedWithTheClient() {
        List<Submission<WriteResult>> submitted = new ArrayList<>();
        try (Stowline other = client(connectionString())) {
            TableWriter<Registration> writer = Registration.indexed(other.table(table.name(), Registration.class))
                    .writer();
            for (int i = 0; i < 200; i++) {
                submitted.add(writer.insert(Registration.of(i)));
            }
        }
        assertThat(submitted).allSatisfy(each -> assertThat(each.await().etag()).isNotEmpty());
        assertThat(runners.query().count()).isEqualTo(200);
        assertThat(runners.repair().clean()).isTrue();
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> runners.insert(Registration.of(0)));
    }
}
