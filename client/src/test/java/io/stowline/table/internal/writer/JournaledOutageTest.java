package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.AuthenticationException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.journal.JournalException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.BufferFullException;
import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.LeftoverException;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** The work of a writer with a journal during an outage, in virtual time. */
class JournaledOutageTest {

    private static final Duration OUTAGE = Duration.ofMinutes(10);
    private static final int ROWS = 200;
    private static final int PARTITIONS = 5;

    @TempDir
    Path folder;

    private final JournaledService service = new JournaledService();

    private TableWriter<Entity> writer(RecordJournal journal, UnaryOperator<WriterSettings.Builder> settings) {
        return service.table().writer(WriterJournal.of(journal), settings);
    }

    /** The journal's own thread takes its time, whatever the clock of the test says. */
    private static void await(BooleanSupplier state) {
        long guard = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!state.getAsBoolean() && System.nanoTime() < guard) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(state.getAsBoolean()).isTrue();
    }

    private static Entity row(int number) {
        return JournaledService.row("p" + number % PARTITIONS, "r" + number);
    }

    private static void insert(TableWriter<Entity> writer, int rows) {
        for (int i = 0; i < rows; i++) {
            writer.insert(row(i));
        }
    }

    /** A writer of an earlier process that has accepted rows and sent none. */
    private void leave(int rows) {
        JournaledService before = new JournaledService();
        before.refuses(503, "ServerBusy");
        RecordJournal journal = RecordJournal.open(folder);
        TableWriter<Entity> writer = before.table().writer(WriterJournal.of(journal), w -> w);
        insert(writer, rows);
        journal.close();
    }

    @ParameterizedTest(name = "{0} {1}")
    @DisplayName("BATCH-15: ten minutes of refusals lose nothing, and all is written once when the service is back")
    @CsvSource({
        "503, ServerBusy",
        "500, InternalError",
        "500, OperationTimedOut",
        "403, AuthorizationFailure",
        "401, InvalidAuthenticationInfo",
        "404, TableNotFound",
        "409, TableBeingDeleted"
    })
    void survivesAnOutage(int status, String code) {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            service.refuses(status, code);
            insert(writer, ROWS);
            var flushed = writer.reactive().flush().toFuture();

            service.pass(OUTAGE);

            assertThat(service.written).isEmpty();
            assertThat(journal.outstandingRecords()).isEqualTo(ROWS);
            assertThat(journal.rejectedRecords()).isZero();
            assertThat(flushed).isNotDone();
            service.isWell();
            service.pass(Duration.ofMinutes(3));
            assertThat(service.written).hasSize(ROWS).allSatisfy((row, times) -> assertThat(times)
                    .isEqualTo(1));
            assertThat(flushed)
                    .isCompletedWithValueMatching(report -> report.completed() == ROWS && report.failed() == 0);
            assertThat(journal.outstandingRecords()).isZero();
            assertThat(writer.pausedBy()).isEmpty();
        }
    }

    record Note(@PartitionKey String topic, @RowKey String id, String body) {}

    @Test
    @DisplayName("BATCH-15 T4: rows of several types are accepted by one journal, and survive an outage and a close")
    void rowsOfSeveralTypes() {
        service.refuses(503, "ServerBusy");
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            TableWriter<Note> notes = writer.in(service.table().as(Note.class));
            insert(writer, ROWS);
            for (int i = 0; i < ROWS; i++) {
                notes.insert(new Note("p" + i % PARTITIONS, "note" + i, "text"));
            }
            assertThat(journal.outstandingRecords()).isEqualTo(2 * ROWS);
            service.pass(Duration.ofMinutes(1));
        }
        assertThat(service.written).isEmpty();

        JournaledService after = new JournaledService();
        try (RecordJournal journal = RecordJournal.open(folder);
                TableWriter<Entity> writer = after.table().writer(WriterJournal.of(journal), w -> w)) {
            await(() -> {
                after.pass(Duration.ofSeconds(1));
                return after.written.size() == 2 * ROWS;
            });
            assertThat(writer.pausedBy()).isEmpty();
        }
        assertThat(after.written).containsKeys("r0", "note0");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> after.table().writer().in(after.table().indexed(Index.text("TEXT", entity -> "text"))))
                .withMessageContaining("IndexedTable");
    }

    @ParameterizedTest(name = "{0} {1}")
    @DisplayName(
            "BATCH-15: what an earlier process has left survives an outage as well, and ends when the service is back")
    @CsvSource({"503, ServerBusy", "500, OperationTimedOut", "403, AuthorizationFailure", "404, TableNotFound"})
    void replaysAfterAnOutage(int status, String code) {
        leave(ROWS);
        try (RecordJournal journal = RecordJournal.open(folder)) {
            service.refuses(status, code);
            TableWriter<Entity> writer = writer(journal, w -> w);
            service.pass(OUTAGE);
            assertThat(journal.outstandingRecords()).isEqualTo(ROWS);

            service.isWell();
            service.pass(Duration.ofMinutes(3));

            assertThat(service.written).hasSize(ROWS).allSatisfy((row, times) -> assertThat(times)
                    .isEqualTo(1));
            assertThat(writer.reactive().awaitReplay().toFuture())
                    .isCompletedWithValueMatching(report -> report.total() == ROWS && report.left() == 0);
            assertThat(journal.outstandingRecords()).isZero();
        }
    }

    @Test
    @DisplayName("BATCH-15: a paused writer says why, shows it as a gauge, and probes at a bounded rate")
    void isPaused() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            service.refuses(403, "AuthorizationFailure");
            insert(writer, ROWS);
            service.pass(Duration.ofMinutes(1));

            assertThat(writer.pausedBy()).containsInstanceOf(AuthenticationException.class);
            assertThat(writer.reactive().pausedBy()).isPresent();
            assertThat(service.paused()).isEqualTo(1);
            int before = service.requests.size();
            service.pass(OUTAGE);
            // One at a time, half a minute apart at the most and a quarter at the least.
            assertThat(service.requests.size() - before).isBetween(15, 60);

            service.isWell();
            service.pass(Duration.ofMinutes(1));
            assertThat(writer.pausedBy()).isEmpty();
            assertThat(service.paused()).isZero();
            assertThat(service.written).hasSize(ROWS);
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: the listener of failures is told once that the writer is paused, and of no failed operation")
    void tellsOfThePause() {
        List<Throwable> reported = new ArrayList<>();
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w.onFailure(failure -> reported.add(failure.error())));
            service.refuses(404, "TableNotFound");
            insert(writer, ROWS);
            service.pass(OUTAGE);
            service.isWell();
            service.pass(Duration.ofMinutes(2));

            assertThat(service.written).hasSize(ROWS);
            assertThat(reported).singleElement().isInstanceOf(NotFoundException.class);
            assertThat(writer.flush().failed()).isZero();
        }
    }

    @Test
    @DisplayName("BATCH-15: what waits for the disk is not sent on the journal's thread")
    void sendsOnNoThreadOfTheJournal() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            for (int i = 0; i < 20; i++) {
                writer.insertOrReplace(row(1));
                service.pass(Duration.ofSeconds(1));
            }
            assertThat(service.threads).allMatch(name -> !name.startsWith("stowline-journal"));
        }
    }

    @Test
    @DisplayName("BATCH-9: the close of a paused writer keeps its deadline, and what it has stays for the next")
    void closesWhilePaused() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w.closeTimeout(Duration.ofSeconds(20)));
            service.refuses(403, "AuthorizationFailure");
            insert(writer, 20);
            Submission<WriteResult> last = writer.insert(row(20));
            service.pass(Duration.ofMinutes(5));
            var closed = writer.reactive().close().toFuture();

            service.pass(Duration.ofSeconds(21));

            assertThat(closed).isCompletedExceptionally();
            assertThatThrownBy(last::await).isInstanceOf(LeftoverException.class);
            assertThat(journal.outstandingRecords()).isEqualTo(21);
            assertThat(service.paused()).isZero();
            service.isWell();
            TableWriter<Entity> next = writer(journal, w -> w);
            service.pass(Duration.ofMinutes(2));
            assertThat(service.written).hasSize(21);
            assertThat(next.reactive().awaitReplay().toFuture())
                    .isCompletedWithValueMatching(report -> report.total() == 21 && report.left() == 0);
        }
    }

    @Test
    @DisplayName("BATCH-3: a replay that the service cannot do in time is halved, and ends")
    void halvesAReplay() {
        leave(40);
        try (RecordJournal journal = RecordJournal.open(folder)) {
            service.tooMany = 3;
            TableWriter<Entity> writer = writer(journal, w -> w);
            service.pass(Duration.ofMinutes(30));

            assertThat(service.written).hasSize(40);
            assertThat(service.requests).hasSizeLessThan(200);
            assertThat(writer.reactive().awaitReplay().toFuture())
                    .isCompletedWithValueMatching(report -> report.done() + report.recovered() == 40);
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @DisplayName("RETRY-3: what the service refuses for good ends a replay at once, on the rejected list")
    @CsvSource({"501, NotImplemented", "400, InvalidInput", "413, RequestBodyTooLarge"})
    void rejectsForGood(int status, String code) {
        leave(3);
        try (RecordJournal journal = RecordJournal.open(folder)) {
            service.refuses(status, code);
            TableWriter<Entity> writer = writer(journal, w -> w);
            service.pass(Duration.ofMinutes(5));

            assertThat(writer.reactive().awaitReplay().toFuture())
                    .isCompletedWithValueMatching(report -> report.failed() + report.unknown() == 3);
            assertThat(service.requests).hasSizeLessThan(20);
            assertThat(journal.outstandingRecords()).isZero();
            assertThat(writer.rejected())
                    .hasSize(3)
                    .allMatch(each -> each.reason().contains(code)
                            && each.verb().equals("insert")
                            && each.json().contains("\"Text\":\"text\""))
                    .extracting(RejectedOperation::rowKey)
                    .containsExactly("r0", "r1", "r2");
            writer.discardRejected(writer.rejected().get(0).id());
            assertThat(writer.reactive().rejected().block(Duration.ofSeconds(30)))
                    .hasSize(2);
        }
    }

    @Test
    @DisplayName("BATCH-15: an operation that is refused for its own content fails, and stands on the rejected list")
    void rejectsAConflict() {
        service.written.put("r1", 1);
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            Submission<WriteResult> conflict = writer.insert(row(1));
            writer.insert(row(6));
            service.pass(Duration.ofSeconds(10));

            assertThatThrownBy(conflict::await).isInstanceOf(ConflictException.class);
            assertThat(service.written).containsEntry("r6", 1);
            assertThat(writer.rejected()).singleElement().satisfies(each -> {
                assertThat(each.rowKey()).isEqualTo("r1");
                assertThat(each.reason()).startsWith("ConflictException").contains("EntityAlreadyExists");
                assertThat(each.rejected()).isAfterOrEqualTo(each.accepted().minusSeconds(1));
            });
        }
    }

    @Test
    @DisplayName("BATCH-15: a conflict that may be our own echo is no end while reading back fails")
    void isNoConflictWhileBlind() throws Exception {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            service.losesResponses = true;
            service.blind = true;
            Submission<WriteResult> echo = writer.insert(row(1));
            service.pass(Duration.ofMillis(100));
            service.losesResponses = false;
            service.pass(OUTAGE);

            assertThat(service.written).containsEntry("r1", 1);
            assertThat(echo.isDone()).isFalse();
            assertThat(journal.rejectedRecords()).isZero();
            assertThat(journal.outstandingRecords()).isEqualTo(1);
            service.blind = false;
            service.pass(Duration.ofMinutes(3));

            assertThat(echo.await().outcome()).isEqualTo(WriteOutcome.RECOVERED);
            assertThat(service.written).containsEntry("r1", 1);
            assertThat(journal.rejectedRecords()).isZero();
            assertThat(journal.outstandingRecords()).isZero();
        }
    }

    @Test
    @DisplayName("BATCH-15: new operations on other entities do not wait for the horizon of what is replayed")
    void holdsBackOnlyWhatItCarries() {
        leave(5);
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            List<Submission<WriteResult>> fresh = new ArrayList<>();
            for (int i = 100; i < 110; i++) {
                fresh.add(writer.insert(row(i)));
            }
            service.pass(Duration.ofSeconds(2));
            for (int i = 100; i < 110; i++) {
                fresh.add(writer.delete("p" + i % PARTITIONS, "r" + i));
            }
            service.pass(Duration.ofSeconds(2));

            assertThat(fresh.subList(0, 10)).allMatch(Submission::isDone);
            assertThat(service.tables().lanes().reservedEntities()).isEqualTo(5);
        }
    }

    @Test
    @DisplayName("BATCH-15: an attempt that may still arrive keeps its entity from the next process, too")
    void fencesAnEntity() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            service.refuses(500, "InternalError");
            Submission<WriteResult> done = writer.insertOrReplace(row(1));
            service.pass(Duration.ofMillis(15));
            service.isWell();
            service.pass(Duration.ofSeconds(9));
            assertThat(done.isDone()).isTrue();
            assertThat(service.requests).hasSize(2);
        }
        JournaledService next = new JournaledService();
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = next.table().writer(WriterJournal.of(journal), w -> w);
            Submission<WriteResult> later = writer.insertOrReplace(row(1));
            Submission<WriteResult> other = writer.insertOrReplace(row(6));
            next.pass(Duration.ofSeconds(25));
            assertThat(later.isDone()).isFalse();
            assertThat(other.isDone()).isTrue();

            next.pass(Duration.ofSeconds(10));
            assertThat(later.isDone()).isTrue();
            assertThat(next.requests).hasSize(2);
            assertThat(writer.reactive().awaitReplay().toFuture())
                    .isCompletedWithValueMatching(report -> report.total() == 0);
        }
    }

    @Test
    @DisplayName("BATCH-15: what is cancelled in flight keeps its entity from the next process")
    void fencesACancelledOne() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            Submission<WriteResult> cancelled = writer.insertOrReplace(row(1));
            service.pass(Duration.ofMillis(5));
            assertThat(cancelled.cancel()).isFalse();
        }
        JournaledService next = new JournaledService();
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = next.table().writer(WriterJournal.of(journal), w -> w);
            Submission<WriteResult> later = writer.insertOrReplace(row(1));
            next.pass(Duration.ofSeconds(30));
            assertThat(later.isDone()).isFalse();
            assertThat(journal.outstandingRecords()).isEqualTo(1);
            next.pass(Duration.ofSeconds(10));
            assertThat(later.isDone()).isTrue();
        }
    }

    @Test
    @DisplayName("BATCH-15: what keeps an entity leaves the disk when no attempt can arrive any more")
    void takesFencesAway() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            service.refuses(500, "InternalError");
            writer.insertOrReplace(row(1));
            service.pass(Duration.ofMillis(15));
            service.isWell();
            service.pass(Duration.ofSeconds(9));
            assertThat(journal.outstandingRecords()).isZero();
            assertThat(journal.outstanding()).hasSize(1);

            service.pass(Duration.ofMinutes(1));

            await(() -> journal.outstanding().findAny().isEmpty());
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: a stream takes nothing before it is asked, and what it had taken leaves the disk with a cancel")
    void takesAStreamOnDemand() {
        AtomicLong requested = new AtomicLong();
        List<ItemResult<Integer, WriteResult>> results = new ArrayList<>();
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w.linger(Duration.ofHours(1)));
            Flux<TableOperation<Entity, Integer>> operations = Flux.range(0, 5_000)
                    .map(i -> TableOperation.insert(row(i)).with(i))
                    .doOnRequest(requested::addAndGet);
            BaseSubscriber<ItemResult<Integer, WriteResult>> subscriber = new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {}

                @Override
                protected void hookOnNext(ItemResult<Integer, WriteResult> result) {
                    results.add(result);
                }
            };
            writer.reactive().write(operations).subscribe(subscriber);
            assertThat(requested.get()).isZero();
            assertThat(journal.outstandingRecords()).isZero();

            subscriber.request(1);
            assertThat(requested.get()).isBetween(1L, 1_024L);
            subscriber.cancel();
            await(() -> journal.outstandingRecords() == 0);
        }
        assertThat(results).isEmpty();
        // the batch in flight has its response
        service.pass(Duration.ofSeconds(1));
        int sent = service.requests.size();
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> next = writer(journal, w -> w);
            service.pass(Duration.ofMinutes(1));
            assertThat(next.reactive().awaitReplay().toFuture())
                    .isCompletedWithValueMatching(report -> report.total() == 0);
            assertThat(service.requests).hasSize(sent);
        }
    }

    @Test
    @DisplayName("BATCH-15: what was refused or cancelled has left the disk when the caller knows")
    void leavesTheDiskBeforeTheCallerKnows() throws Exception {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            service.refuses(503, "ServerBusy");
            TableWriter<Entity> writer = writer(journal, w -> w.bufferItems(2));
            insert(writer, 2);
            assertThatThrownBy(() -> writer.failingFast().insert(row(3))).isInstanceOf(BufferFullException.class);
            // As a crash at this moment would leave it.
            assertThat(onDisk()).isEqualTo(2);
        }
    }

    private int onDisk() throws Exception {
        Path copy = Files.createDirectory(folder.resolve("copy"));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        try (RecordJournal crashed = RecordJournal.open(copy)) {
            return crashed.outstandingRecords();
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: a client that closes gives back the journals of its writers, also of those that were not closed")
    void isGivenBackWithTheClient() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            service.refuses(503, "ServerBusy");
            TableWriter<Entity> open = writer(journal, w -> w.closeTimeout(Duration.ofSeconds(1)));
            insert(open, 3);
            var closed = service.close();
            service.pass(Duration.ofMinutes(2));
            assertThat(closed).succeedsWithin(Duration.ofSeconds(30));

            JournaledService again = new JournaledService();
            TableWriter<Entity> next = again.table().writer(WriterJournal.of(journal), w -> w);
            again.pass(Duration.ofMinutes(1));
            assertThat(again.written).hasSize(3);
            assertThat(next.reactive().awaitReplay().toFuture())
                    .isCompletedWithValueMatching(report -> report.total() == 3);
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: a journal that is closed before its writer refuses what is new, and the writer still closes")
    void survivesAJournalThatIsClosedFirst() {
        RecordJournal journal = RecordJournal.open(folder);
        TableWriter<Entity> writer = writer(journal, w -> w);
        insert(writer, 3);
        journal.close();

        assertThatThrownBy(() -> writer.insert(row(4)))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("is closed");
        var closed = writer.reactive().close().toFuture();
        service.pass(Duration.ofMinutes(3));

        assertThat(closed).isDone();
        assertThat(service.written).hasSize(3);
        try (RecordJournal next = RecordJournal.open(folder)) {
            // They may come once more, which their marks show.
            TableWriter<Entity> after = writer(next, w -> w);
            service.pass(Duration.ofMinutes(3));
            assertThat(after.reactive().awaitReplay().toFuture()).isCompleted();
            assertThat(service.written)
                    .allSatisfy((row, times) -> assertThat(times).isEqualTo(1));
        }
    }

    @Test
    @DisplayName("BATCH-15: the report of a replay counts each operation once")
    void reports() {
        leave(7);
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = writer(journal, w -> w);
            service.pass(Duration.ofMinutes(1));
            assertThat(writer.reactive().awaitReplay().toFuture())
                    .isCompletedWithValue(new ReplayReport(7, 0, 0, 0, 0));
            assertThat(writer.stats().operations()).isEqualTo(7);
        }
    }
}
