package io.stowline.table.internal.index.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.error.StorageException;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.internal.index.PlayedProcess;
import io.stowline.table.internal.index.PlayedProcess.Fate;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.transport.internal.http.PlayTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Backfills whose requests have no luck, in virtual time. */
@Timeout(120)
class InterruptedBackfillTest {

    record Runner(@PartitionKey String race, @RowKey String id, int age, String mail) {}

    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
    private static final Index<Runner, String> MAIL =
            Index.text("MAIL", Runner::mail).global(8);
    private static final int ROWS = 60;
    private static final IndexReport CLEAN = new IndexReport(ROWS, 0, 0, 0, 0);
    private static final Duration DEADLINE = Duration.ofSeconds(3);

    /** A page of the scan, a transaction of references, and the wait of a close. */
    private static final Duration END = DEADLINE.multipliedBy(3);

    private static final RetrySettings RETRY = RetrySettings.defaults().toBuilder()
            .backoff(Backoff.fixed(Duration.ofMillis(5)))
            .deadline(DEADLINE)
            .build();

    private final MemoryStorage memory = MemoryStorage.create();
    private final PlayTime time = new PlayTime();

    private static IndexedTable<Runner> indexed(Table<Runner> table) {
        return table.indexed(List.of(AGE, MAIL));
    }

    private Stowline client() {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build();
    }

    private void imported() {
        memory.clear();
        try (Stowline storage = client()) {
            storage.table("runners").create();
            IndexedTable<Runner> runners = indexed(storage.table("runners", Runner.class));
            try (TableWriter<Runner> writer = runners.entityWriter(w -> w.linger(Duration.ofMillis(20)))) {
                IntStream.range(0, ROWS)
                        .mapToObj(i -> new Runner("race" + i * 5 / ROWS, "%05d".formatted(i), 20 + i % 60, i + "@x"))
                        .forEach(writer::insert);
            }
        }
    }

    private void assertWhole(String as) {
        try (Stowline storage = client()) {
            IndexedTable<Runner> runners = indexed(storage.table("runners", Runner.class));
            assertThat(runners.repair()).as(as).isEqualTo(CLEAN);
            assertThat(runners.global(MAIL, "7@x"))
                    .extracting(StoredEntity::value)
                    .extracting(Runner::id)
                    .containsExactly("00007");
        }
    }

    private CompletableFuture<IndexReport> backfill(
            PlayedProcess process, AtomicReference<String> progress, String from) {
        var runners = indexed(process.table("runners", Runner.class)).reactive();
        return (from.isEmpty()
                        ? runners.backfill((partition, soFar) -> progress.set(partition))
                        : runners.backfillFrom(from, (partition, soFar) -> progress.set(partition)))
                .toFuture();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"SILENT", "REQUEST_LOST", "TABLE_MISSING"})
    @DisplayName("RETRY-5 E14: with the service gone from any request on, a backfill ends by the deadline of its table,"
            + " names the partition from which to go on, and goes on at once")
    void serviceGone(Fate gone) {
        int from = 0;
        boolean met = true;
        while (met) {
            from++;
            imported();
            int first = from;
            PlayedProcess process = new PlayedProcess(memory, time, RETRY);
            AtomicReference<String> progress = new AtomicReference<>("");
            process.fates(number -> number >= first ? gone : Fate.SERVED);
            CompletableFuture<IndexReport> backfill = backfill(process, progress, "");
            time.advanceTimeBy(END);
            met = process.requests() >= first;

            assertThat(backfill).as("%s from request %d on", gone, first).isDone();
            if (met) {
                assertThat(backfill)
                        .isCompletedExceptionally()
                        .failsWithin(Duration.ofSeconds(10))
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOf(StorageException.class)
                        .withMessageMatching(
                                progress.get().isEmpty()
                                        ? ".*starts again.*"
                                        : ".*(partition " + progress.get() + "|repair verifies).*");
                time.advanceTimeBy(END);
                assertThat(process.permits()).isZero();
                process.fates(number -> Fate.SERVED);
                CompletableFuture<IndexReport> rest = backfill(process, progress, progress.get());
                time.advanceTimeBy(END);
                assertThat(rest).isCompleted();
            }
            process.end();
            assertWhole("gone from request " + first + " on");
        }
        assertThat(from).isGreaterThan(8);
    }

    @Test
    @DisplayName("RETRY-5: with the service gone from any request on, a repair ends by the deadline of its table")
    void repairWithServiceGone() {
        boolean met = true;
        for (int from = 1; met; from += from < 10 ? 1 : 9) {
            imported();
            int first = from;
            PlayedProcess process = new PlayedProcess(memory, time, RETRY);
            process.fates(number -> number >= first ? Fate.SILENT : Fate.SERVED);
            CompletableFuture<IndexReport> repair = indexed(process.table("runners", Runner.class))
                    .reactive()
                    .repair()
                    .toFuture();
            time.advanceTimeBy(END);
            met = process.requests() >= first;
            assertThat(repair).as("silent from request %d on", first).isDone();
            assertThat(repair.isCompletedExceptionally()).isEqualTo(met);
            process.end();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"REQUEST_LOST", "RESPONSE_LOST", "SILENT"})
    @DisplayName("OUTCOME-9 E14: a lost request or response at any request of a backfill costs one more request")
    void lostOnce(Fate fate) {
        int lost = 0;
        boolean met = true;
        while (met) {
            lost++;
            imported();
            int one = lost;
            PlayedProcess process = new PlayedProcess(memory, time, RetrySettings.defaults());
            process.fates(number -> number == one ? fate : Fate.SERVED);
            CompletableFuture<IndexReport> backfill = backfill(process, new AtomicReference<>(), "");
            time.advanceTimeBy(Duration.ofMinutes(2));
            met = process.requests() >= one;

            assertThat(backfill)
                    .as("%s at request %d", fate, one)
                    .isCompletedWithValueMatching(
                            report -> report.entities() == ROWS && report.added() == ROWS && report.unresolved() == 0);
            assertThat(process.permits()).isZero();
            process.end();
            assertWhole(fate + " at request " + one);
        }
        assertThat(lost).isGreaterThan(8);
    }

    @Test
    @DisplayName("E14: a backfill beside writers, and a second one, leave nothing to repair")
    void besideWriters() {
        imported();
        PlayedProcess process = new PlayedProcess(memory, time, RETRY);
        IndexedTable<Runner> runners = indexed(process.table("runners", Runner.class));
        CompletableFuture<IndexReport> backfill = backfill(process, new AtomicReference<>(), "");
        TableWriter<Runner> writer = runners.writer();
        for (int i = 0; i < ROWS; i++) {
            writer.insertOrReplace(
                    new Runner("race" + i * 5 / ROWS, "%05d".formatted(i), 20, i == 7 ? "7@x" : i + "@y"));
            time.advanceTimeBy(Duration.ofMillis(3));
        }
        time.advanceTimeBy(END);
        assertThat(backfill).isCompleted();
        assertThat(writer.bufferedItems()).isZero();
        CompletableFuture<IndexReport> second = backfill(process, new AtomicReference<>(), "");
        time.advanceTimeBy(END);
        assertThat(second).isCompletedWithValueMatching(report -> report.added() == ROWS && report.rewritten() == 0);
        CompletableFuture<Void> closed = writer.reactive().close().toFuture();
        time.advanceTimeBy(END);
        assertThat(closed).isCompleted();
        process.end();
        try (Stowline storage = client()) {
            // A reference that the backfill wrote after the writer had removed it leads nowhere until its grace is
            // over.
            IndexReport report = indexed(storage.table("runners", Runner.class)).repair();
            assertThat(report.added() + report.rewritten() + report.unresolved())
                    .isZero();
            assertThat(indexed(storage.table("runners", Runner.class)).global(MAIL, "8@y"))
                    .hasSize(1);
            assertThat(indexed(storage.table("runners", Runner.class)).global(MAIL, "8@x"))
                    .isEmpty();
        }
    }
}
