package io.stowline.table.internal.index.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.journal.Journal;
import io.stowline.journal.JournalException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.LeftoverException;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.WriterJournal;
import io.stowline.table.internal.index.PlayedProcess;
import io.stowline.table.internal.index.PlayedProcess.Fate;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.transport.internal.http.PlayTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writers with indexes and a journal, whose processes end at each of their requests, in virtual time. */
@Timeout(240)
class JournaledIndexTest {

    record Runner(@PartitionKey String race, @RowKey String id, int age, String bib, String mail) {}

    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
    private static final Index<Runner, String> BIB =
            Index.text("BIB", Runner::bib).unique();
    private static final Index<Runner, String> MAIL =
            Index.text("MAIL", Runner::mail).global(8);

    private static final Runner ANN = new Runner("race", "ann", 30, "1", "ann@x");
    private static final Runner ANN_LATER = new Runner("race", "ann", 31, "11", "ann@later");
    private static final Runner BOB = new Runner("race", "bob", 40, "2", "bob@x");
    private static final Runner BOB_LATER = new Runner("race", "bob", 41, "2", "bob@later");
    private static final Runner CARL = new Runner("race", "carl", 50, "3", "carl@x");
    private static final Runner DORA = new Runner("other", "dora", 60, "4", "dora@x");
    private static final Runner DORA_LATER = new Runner("other", "dora", 61, "44", "dora@later");
    private static final Duration HORIZON = Duration.ofSeconds(35);

    private final MemoryStorage memory = MemoryStorage.create();
    private final PlayTime time = new PlayTime();

    /** A client in real time, which prepares and checks. */
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();

    @TempDir
    private Path folder;

    private static IndexedTable<Runner> indexed(PlayedProcess process) {
        return process.table("runners", Runner.class).indexed(List.of(AGE, BIB, MAIL));
    }

    private static IndexedTable<Runner> indexed(Stowline storage) {
        return storage.table("runners", Runner.class).indexed(List.of(AGE, BIB, MAIL));
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private PlayedProcess process() {
        return new PlayedProcess(memory, time, RetrySettings.defaults());
    }

    private RecordJournal journal(String name) {
        return RecordJournal.open(folder.resolve(name));
    }

    private static TableWriter<Runner> writer(PlayedProcess process, Journal journal) {
        return indexed(process).writer(WriterJournal.of(journal), w -> w);
    }

    /** The journal's own thread takes its time, whatever the clock of the test says. */
    private void await(Duration step, BooleanSupplier state) {
        long guard = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!state.getAsBoolean() && System.nanoTime() < guard) {
            time.advanceTimeBy(step);
            LockSupport.parkNanos(50_000);
        }
        assertThat(state.getAsBoolean()).isTrue();
    }

    private void await(CompletableFuture<?> end) {
        await(Duration.ofMillis(100), end::isDone);
    }

    private void imported(Runner... runners) {
        memory.clear();
        storage.table("runners").create();
        List.of(runners).forEach(indexed(storage)::insert);
    }

    /** Checks that the entities are these, each with its index rows, and that there is no other row. */
    private void assertRows(String as, Runner... runners) {
        assertThat(indexed(storage).query().list()).as(as).containsExactlyInAnyOrder(runners);
        assertThat(indexed(storage).repair()).as(as).isEqualTo(new IndexReport(runners.length, 0, 0, 0, 0));
        assertThat(storage.table("runners").query().list())
                .as("rows, %s", as)
                .extracting(Entity::rowKey)
                .hasSize(4 * runners.length);
    }

    @Test
    @DisplayName("BATCH-15: what has its result has left the journal, and index rows are written as without one")
    void results() throws InterruptedException {
        try (Journal journal = journal("journal");
                TableWriter<Runner> writer = indexed(storage).writer(WriterJournal.of(journal), w -> w)) {
            storage.table("runners").create();
            assertThat(writer.insert(ANN).await().outcome()).isEqualTo(WriteOutcome.CONFIRMED);
            assertThat(journal.outstandingRecords()).isZero();
            writer.insertOrReplace(ANN_LATER).await();
            assertThat(writer.reactive().insertOrMerge(BOB).block().outcome()).isEqualTo(WriteOutcome.CONFIRMED);
            Submission<?> taken = writer.insert(BOB);
            assertThatExceptionOfType(ConflictException.class).isThrownBy(taken::await);
            assertThat(writer.rejected()).singleElement().satisfies(rejected -> {
                assertThat(rejected.verb()).isEqualTo("insert");
                assertThat(rejected.json()).contains("bob@x");
                writer.discardRejected(rejected.id());
            });
            assertThat(writer.rejected()).isEmpty();
            assertThat(writer.progress().failed()).isOne();
            assertThat(journal.outstandingRecords()).isZero();
            assertThat(writer.awaitReplay()).isEqualTo(new ReplayReport(0, 0, 0, 0, 0));
        }
        assertRows("results", ANN_LATER, BOB);
    }

    @Test
    @DisplayName("BATCH-15: operations for a version, rows of other types and journals of other writers are refused")
    void refused() {
        try (Journal journal = journal("journal")) {
            storage.table("runners").create();
            indexed(storage).insert(ANN);
            StoredEntity<Runner> stored = indexed(storage).find("race", "ann").orElseThrow();
            try (TableWriter<Runner> writer = indexed(storage).writer(WriterJournal.of(journal), w -> w)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> writer.replace(stored.with(ANN_LATER)))
                        .withMessageContaining("any version");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> writer.reactive()
                                .replace(stored.with(ANN_LATER))
                                .block())
                        .withMessageContaining("any version");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> writer.in(storage.table("runners")))
                        .withMessageContaining("one type");
                assertThatExceptionOfType(JournalException.class)
                        .isThrownBy(() -> indexed(storage).writer(WriterJournal.of(journal), w -> w))
                        .withMessageContaining("in use");
            }
            assertThat(journal.outstandingRecords()).isZero();
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> storage.table("runners", Runner.class).writer(WriterJournal.of(journal), w -> w))
                    .withMessageContaining("with index rows");
            indexed(storage).writer(WriterJournal.of(journal), w -> w).close();
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: a missing table pauses the writer, whose listener gets it once, and it goes on when the table is"
                    + " there")
    void paused() {
        memory.clear();
        PlayedProcess process = process();
        List<Throwable> reported = new ArrayList<>();
        List<CompletableFuture<WriteResult>> results = new ArrayList<>();
        try (RecordJournal journal = journal("journal")) {
            TableWriter<Runner> writer = indexed(process)
                    .writer(WriterJournal.of(journal), w -> w.onFailure(failure -> reported.add(failure.error())));
            List.of(ANN, BOB, CARL, DORA)
                    .forEach(each -> results.add(writer.insert(each).toFuture()));
            await(Duration.ofSeconds(1), () -> writer.pausedBy().isPresent());
            int before = process.requests();
            time.advanceTimeBy(Duration.ofMinutes(10));
            assertThat(writer.pausedBy()).containsInstanceOf(NotFoundException.class);
            assertThat(process.paused()).isOne();
            assertThat(reported).hasSize(1).first().isInstanceOf(NotFoundException.class);
            assertThat(journal.outstandingRecords()).isEqualTo(4);
            assertThat(journal.rejectedRecords()).isZero();
            // A probe is one operation, half a minute apart at the most.
            assertThat(process.requests() - before).isBetween(10, 90);
            storage.table("runners").create();
            await(Duration.ofSeconds(1), () -> results.stream().allMatch(CompletableFuture::isDone));
            assertThat(results).allMatch(each -> !each.isCompletedExceptionally());
            assertThat(writer.pausedBy()).isEmpty();
            assertThat(process.paused()).isZero();
            assertThat(process.permits()).isZero();
            assertThat(journal.outstandingRecords()).isZero();
            await(writer.reactive().close().toFuture());
            process.end();
        }
        assertRows("after a pause", ANN, BOB, CARL, DORA);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"REQUEST_LOST", "RESPONSE_LOST", "SILENT", "TABLE_MISSING"})
    @DisplayName("BATCH-15 OUTCOME-9: an outage from each request on, and a single failure of it, end no operation")
    void outages(Fate fate) {
        for (boolean lasting : new boolean[] {false, true}) {
            boolean met = true;
            for (int from = 1; met; from += lasting ? 3 : 1) {
                String as = "%s from request %d on, lasting: %s".formatted(fate, from, lasting);
                imported(ANN, CARL, DORA);
                int first = from;
                PlayedProcess process = process();
                try (RecordJournal journal = journal(fate + "" + from + lasting)) {
                    process.fates(number -> number == first || (lasting && number > first && fate != Fate.RESPONSE_LOST)
                            ? fate
                            : Fate.SERVED);
                    TableWriter<Runner> writer = writer(process, journal);
                    List<CompletableFuture<WriteResult>> results = work(writer);
                    for (int i = 0; i < 60; i++) {
                        time.advanceTimeBy(Duration.ofSeconds(5));
                        LockSupport.parkNanos(100_000);
                    }
                    met = process.requests() >= first;
                    process.fates(number -> Fate.SERVED);
                    await(Duration.ofSeconds(1), () -> results.stream().allMatch(CompletableFuture::isDone));

                    assertThat(results).as(as).allMatch(each -> !each.isCompletedExceptionally());
                    assertThat(journal.outstandingRecords()).as(as).isZero();
                    assertThat(journal.rejectedRecords()).as(as).isZero();
                    await(Duration.ofSeconds(1), () -> process.permits() == 0);
                    await(writer.reactive().close().toFuture());
                    process.end();
                }
                assertRows(as, ANN_LATER, BOB_LATER, DORA_LATER);
            }
        }
    }

    private static List<CompletableFuture<WriteResult>> work(TableWriter<Runner> writer) {
        return Stream.of(
                        writer.insertOrReplace(ANN_LATER),
                        writer.insert(BOB),
                        writer.delete(CARL),
                        writer.insertOrMerge(DORA_LATER),
                        writer.replace(StoredEntity.of(BOB_LATER, "*")))
                .map(Submission::toFuture)
                .toList();
    }

    @ParameterizedTest(name = "the last request carried out: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("BATCH-15: wherever a process ends, the next one has carried out all and left no index row behind")
    void endsAnywhere(boolean carriedOut) {
        int last = 0;
        boolean ended = true;
        while (ended) {
            last++;
            imported(ANN, CARL, DORA);
            Path left = folder.resolve(carriedOut + "left" + last);
            ended = dies(last, carriedOut, left);
            goesOn("ended at request " + last, left, number -> Fate.SERVED);
        }
        assertThat(last).isGreaterThan(20);
    }

    @Test
    @DisplayName("BATCH-15: a process that ends while it replays leaves all to the next one")
    void endsInAReplay() {
        for (int last : new int[] {6, 13}) {
            int second = 0;
            boolean ended = true;
            while (ended) {
                second++;
                imported(ANN, CARL, DORA);
                Path left = folder.resolve("twice" + last + "-" + second);
                dies(last, true, left);
                Path again = folder.resolve("again" + last + "-" + second);
                ended = replays(left, second, again);
                goesOn(
                        "ended at request " + last + ", and at " + second + " of the replay",
                        again,
                        number -> Fate.SERVED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"REQUEST_LOST", "RESPONSE_LOST"})
    @DisplayName("BATCH-15 OUTCOME-9: a lost request or response in a replay leaves no outcome unknown")
    void lostInAReplay(Fate fate) {
        boolean met = true;
        for (int lost = 1; met; lost++) {
            imported(ANN, CARL, DORA);
            Path left = folder.resolve(fate + "lost" + lost);
            dies(18, true, left);
            int one = lost;
            met = goesOn(fate + " at request " + lost, left, number -> number == one ? fate : Fate.SERVED) >= lost;
        }
    }

    @Test
    @DisplayName("OUTCOME-9: an insert of an earlier process is known by its content, also where its refusal is lost")
    void lostRefusal() {
        imported();
        Path left = folder.resolve("left");
        PlayedProcess process = process();
        try (RecordJournal journal = journal("before")) {
            process.fates(fatal(2, true));
            var unused = writer(process, journal).insert(BOB);
            await(Duration.ofMillis(10), process::isDead);
            copy(journal.folder(), left);
            process.end();
        }
        PlayedProcess next = process();
        try (RecordJournal journal = RecordJournal.open(left)) {
            next.fates(number -> number == 2 ? Fate.RESPONSE_LOST : Fate.SERVED);
            TableWriter<Runner> writer = writer(next, journal);
            CompletableFuture<ReplayReport> report =
                    writer.reactive().awaitReplay().toFuture();
            await(Duration.ofSeconds(1), report::isDone);
            assertThat(report.join()).isEqualTo(new ReplayReport(0, 1, 0, 0, 0));
            await(writer.reactive().close().toFuture());
            next.end();
        }
        assertRows("after a lost refusal", BOB);
    }

    /** Writes until a request after which no other gets a response; returns whether it had that one. */
    private boolean dies(int last, boolean carriedOut, Path left) {
        PlayedProcess process = process();
        try (RecordJournal journal = journal(left.getFileName() + "-of-the-dead")) {
            process.fates(fatal(last, carriedOut));
            TableWriter<Runner> writer = writer(process, journal);
            List<CompletableFuture<WriteResult>> results = work(writer);
            await(
                    Duration.ofMillis(10),
                    () -> process.isDead() || results.stream().allMatch(CompletableFuture::isDone));
            journal.flush();
            copy(journal.folder(), left);
            process.end();
        }
        return process.isDead() && process.requests() >= last;
    }

    private boolean replays(Path from, int last, Path left) {
        PlayedProcess process = process();
        try (RecordJournal journal = RecordJournal.open(from)) {
            process.fates(fatal(last, last % 2 == 0));
            TableWriter<Runner> writer = writer(process, journal);
            CompletableFuture<ReplayReport> report =
                    writer.reactive().awaitReplay().toFuture();
            await(Duration.ofSeconds(1), () -> process.isDead() || report.isDone());
            journal.flush();
            copy(journal.folder(), left);
            process.end();
        }
        return process.isDead() && process.requests() >= last;
    }

    private static IntFunction<Fate> fatal(int last, boolean carriedOut) {
        return number -> number < last ? Fate.SERVED : carriedOut ? Fate.DEATH_AFTER : Fate.DEATH_BEFORE;
    }

    /** Carries out what was left; returns the number of requests. */
    private int goesOn(String as, Path left, IntFunction<Fate> fates) {
        PlayedProcess process = process();
        process.fates(fates);
        try (RecordJournal journal = RecordJournal.open(left)) {
            TableWriter<Runner> writer = writer(process, journal);
            CompletableFuture<ReplayReport> report =
                    writer.reactive().awaitReplay().toFuture();
            await(Duration.ofSeconds(1), report::isDone);
            assertThat(report.join().failed() + report.join().unknown()).as(as).isZero();
            assertThat(report.join().left()).as(as).isZero();
            assertThat(journal.outstandingRecords()).as(as).isZero();
            await(writer.reactive().close().toFuture());
            process.end();
        }
        assertRows(as, ANN_LATER, BOB_LATER, DORA_LATER);
        return process.requests();
    }

    @Test
    @DisplayName(
            "BATCH-15: operations on an entity keep their order over a crash, and an own one comes after the replay")
    void order() {
        imported(ANN);
        Path left = folder.resolve("left");
        PlayedProcess process = process();
        try (RecordJournal journal = journal("before")) {
            // The first one has noted the reference that it loses when the process ends.
            process.fates(number -> number < 5 ? Fate.SERVED : Fate.DEATH_BEFORE);
            TableWriter<Runner> writer = writer(process, journal);
            Submission<?> first = writer.insertOrReplace(ANN_LATER);
            Submission<?> second = writer.insertOrReplace(new Runner("race", "ann", 32, "12", "ann@third"));
            await(Duration.ofMillis(10), process::isDead);
            assertThat(first.isDone() || second.isDone()).isFalse();
            copy(journal.folder(), left);
            process.end();
        }
        Runner own = new Runner("race", "ann", 33, "13", "ann@own");
        PlayedProcess next = process();
        try (RecordJournal journal = RecordJournal.open(left)) {
            TableWriter<Runner> writer = writer(next, journal);
            await(Duration.ofMillis(10), () -> journal.outstandingRecords() == 2);
            CompletableFuture<WriteResult> last =
                    writer.reactive().insertOrReplace(own).toFuture();
            await(Duration.ofSeconds(1), last::isDone);
            await(writer.reactive().close().toFuture());
            next.end();
        }
        assertRows("in order", own);
    }

    @Test
    @DisplayName("BATCH-15: a cancelled operation leaves the journal, and a close leaves the others to the next writer")
    void cancelledAndClosed() {
        memory.clear();
        PlayedProcess process = process();
        try (RecordJournal journal = journal("journal")) {
            TableWriter<Runner> writer =
                    indexed(process).writer(WriterJournal.of(journal), w -> w.closeTimeout(Duration.ofSeconds(1)));
            Submission<WriteResult> kept = writer.insert(ANN);
            Submission<WriteResult> cancelled = writer.insertOrReplace(ANN_LATER);
            Submission<WriteResult> begun = writer.insert(BOB);
            await(Duration.ofSeconds(1), () -> writer.pausedBy().isPresent());
            assertThat(cancelled.cancel()).isTrue();
            begun.cancel();
            assertThat(journal.outstandingRecords()).isOne();
            CompletableFuture<WriteResult> result = kept.toFuture();
            CompletableFuture<Void> closed = writer.reactive().close().toFuture();
            await(Duration.ofSeconds(1), closed::isDone);
            assertThat(result).isCompletedExceptionally();
            assertThatExceptionOfType(LeftoverException.class).isThrownBy(() -> {
                try {
                    result.join();
                } catch (java.util.concurrent.CompletionException e) {
                    throw e.getCause();
                }
            });
            assertThat(journal.outstandingRecords()).isOne();
            storage.table("runners").create();
            // A paused writer has nothing in flight, so that the next one may have the journal at once.
            TableWriter<Runner> next = writer(process, journal);
            CompletableFuture<ReplayReport> report =
                    next.reactive().awaitReplay().toFuture();
            await(Duration.ofSeconds(1), report::isDone);
            assertThat(report.join()).isEqualTo(new ReplayReport(1, 0, 0, 0, 0));
            await(next.reactive().close().toFuture());
            process.end();
        }
        assertRows("after the close", ANN);
    }

    @Test
    @DisplayName("BATCH-15: an insert whose abandoned attempt may arrive keeps its entity from the next process")
    void fences() {
        imported();
        Path left = folder.resolve("left");
        PlayedProcess process = process();
        try (RecordJournal journal = journal("before")) {
            process.fates(number -> number == 2 ? Fate.REQUEST_LOST : Fate.SERVED);
            TableWriter<Runner> writer = writer(process, journal);
            CompletableFuture<WriteResult> inserted = writer.insert(ANN).toFuture();
            // In steps that do not outrun the disk: the fence stands for 35 seconds.
            await(Duration.ofMillis(1), inserted::isDone);
            assertThat(journal.outstandingRecords()).isZero();
            assertThat(journal.outstandingBytes()).isPositive();
            copy(journal.folder(), left);
            process.end();
        }
        PlayedProcess next = process();
        try (RecordJournal journal = RecordJournal.open(left)) {
            TableWriter<Runner> writer = writer(next, journal);
            CompletableFuture<WriteResult> deleted = writer.delete(ANN).toFuture();
            CompletableFuture<WriteResult> other = writer.insert(BOB).toFuture();
            await(Duration.ofMillis(1), other::isDone);
            assertThat(deleted).isNotDone();
            await(Duration.ofSeconds(1), deleted::isDone);
            time.advanceTimeBy(HORIZON);
            await(Duration.ofSeconds(1), () -> journal.outstandingBytes() == 0);
            await(writer.reactive().close().toFuture());
            next.end();
        }
        assertRows("after the fence", BOB);
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectory(
                    to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith("records"))
                    .toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
