package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.journal.Journal;
import io.stowline.journal.JournalException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.BufferFullException;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.WriterJournal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

class JournaledWriterIT extends StorageTest {

    @TempDir
    Path folder;

    /** A socket that does not listen, and keeps its port from other processes. */
    private static Socket reserved() throws IOException {
        Socket silent = new Socket();
        silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return silent;
    }

    /** Operations of a process that could not reach the service: nothing listens at its endpoint. */
    private void leave(Table<Runner> runners, int count) throws IOException {
        Journal journal = Journal.open(folder);
        try (Socket silent = reserved();
                Stowline cut = Stowline.builder()
                        .connectionString(connectionString())
                        .tableEndpoint("http://127.0.0.1:" + silent.getLocalPort()
                                + storage.endpoints().get("table").getPath())
                        .build()) {
            TableWriter<Runner> writer = cut.table(runners.name(), Runner.class)
                    .writer(WriterJournal.of(journal), w -> w.linger(Duration.ofMinutes(5))
                            .closeTimeout(Duration.ofMillis(1)));
            for (int i = 0; i < count; i++) {
                writer.insert(Runner.of("race " + i % 3, i));
            }
            assertThat(journal.outstandingRecords()).isEqualTo(count);
            // The process ends here, as far as the journal can tell.
            journal.close();
            assertThatThrownBy(writer::close).isInstanceOf(UncollectedFailuresException.class);
        }
    }

    @Test
    @DisplayName("BATCH-15: what is done has left the journal, and what failed too")
    void leavesTheJournalWithItsResult() throws Exception {
        Table<Runner> runners = freshTable(Runner.class);
        runners.insert(Runner.of("race", 1));
        try (Journal journal = Journal.open(folder);
                TableWriter<Runner> writer = runners.writer(WriterJournal.of(journal), w -> w)) {
            assertThat(writer.awaitReplay()).isEqualTo(new ReplayReport(0, 0, 0, 0, 0));
            Submission<WriteResult> conflict = writer.insert(Runner.of("race", 1));
            writer.insert(Runner.of("race", 2)).await();
            assertThatExceptionOfType(ConflictException.class).isThrownBy(conflict::await);

            assertThat(journal.outstandingRecords()).isZero();
        }
        try (Journal journal = Journal.open(folder)) {
            assertThat(journal.outstandingRecords()).isZero();
        }
        assertThat(runners.query().list()).hasSize(2).allMatch(runner -> runner.race()
                .equals("race"));
    }

    @Test
    @DisplayName("BATCH-15: the next writer sends what was left, and its own operations after it")
    void replays() throws Exception {
        Table<Runner> runners = freshTable(Runner.class);
        leave(runners, 30);
        Table<Runner> before = runners.withRetry(retry -> retry.serverTimeout(Duration.ofSeconds(1)));
        try (Journal journal = Journal.open(folder);
                TableWriter<Runner> writer = before.writer(WriterJournal.of(journal), w -> w)) {
            assertThat(writer.insert(Runner.of("another race", 5)).await().etag())
                    .isNotEmpty();
            ReplayReport report = writer.awaitReplay();
            assertThat(report.total()).isEqualTo(30);
            assertThat(report.done() + report.recovered()).isEqualTo(30);
            assertThat(journal.outstandingRecords()).isZero();
        }
        assertThat(runners.query().list()).hasSize(31);
    }

    @Test
    @DisplayName("BATCH-15: a journal serves one writer at a time, and one table for good")
    void belongsToOneTable() {
        Table<Runner> runners = freshTable(Runner.class);
        Table<Runner> others = freshTable(Runner.class);
        try (Journal journal = Journal.open(folder)) {
            try (TableWriter<Runner> writer = runners.writer(WriterJournal.of(journal), w -> w)) {
                assertThatThrownBy(() -> runners.writer(WriterJournal.of(journal), w -> w))
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("in use by another writer");
                writer.flush();
            }
            assertThatThrownBy(() -> others.writer(WriterJournal.of(journal), w -> w))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("is for the table");
            runners.writer(WriterJournal.of(journal), w -> w).close();
        }
    }

    @Test
    @DisplayName("BATCH-15: once a writer is closed, the next one may have its journal at once")
    void isFreeWhenItsWriterIsClosed() {
        Table<Runner> runners = freshTable(Runner.class);
        try (Journal journal = Journal.open(folder)) {
            for (int i = 0; i < 100; i++) {
                runners.writer(WriterJournal.of(journal), w -> w).close();
                runners.writer(WriterJournal.of(journal), w -> w)
                        .reactive()
                        .close()
                        .block(Duration.ofSeconds(30));
            }
            runners.writer(WriterJournal.of(journal), w -> w).close();
        }
    }

    @Test
    @DisplayName("BATCH-15: what is cancelled or refused is taken from the disk")
    void takesBackWhatIsNotWanted() {
        Table<Runner> runners = freshTable(Runner.class);
        try (Journal journal = Journal.open(folder);
                TableWriter<Runner> writer =
                        runners.writer(WriterJournal.of(journal), w -> w.linger(Duration.ofMinutes(5))
                                .bufferItems(1))) {
            Submission<WriteResult> cancelled = writer.insert(Runner.of("race", 1));
            assertThat(journal.outstandingRecords()).isEqualTo(1);
            assertThat(cancelled.cancel()).isTrue();
            assertThat(journal.outstandingRecords()).isZero();

            // a refusal has sent the lingering items, and leaves none behind
            Submission<WriteResult> kept = writer.insert(Runner.of("race", 2));
            assertThatExceptionOfType(BufferFullException.class)
                    .isThrownBy(() -> writer.failingFast().insert(Runner.of("race", 3)));
            assertThat(kept.result().block(Duration.ofSeconds(30))).isNotNull();
        }
        assertThat(runners.query().list()).containsExactly(Runner.of("race", 2));
    }

    @Test
    @DisplayName("BATCH-15: a stream goes through the journal, in its order")
    void takesStreams() {
        Table<Runner> runners = freshTable(Runner.class);
        try (Journal journal = Journal.open(folder);
                TableWriter<Runner> writer = runners.writer(WriterJournal.of(journal), w -> w.bufferItems(50))) {
            Flux<TableOperation<Runner, Integer>> operations = Flux.range(0, 300)
                    .map(i -> TableOperation.insertOrReplace(
                                    Runner.of("race", i % 100).aged(i))
                            .with(i));

            List<ItemResult<Integer, WriteResult>> results =
                    writer.reactive().write(operations).collectList().block();

            assertThat(results).hasSize(300).allMatch(ItemResult::succeeded);
            assertThat(journal.outstandingRecords()).isZero();
        }
        assertThat(runners.query().list()).hasSize(100).allMatch(runner -> runner.age() >= 200);
    }
}
