package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Entity;
import io.stowline.table.internal.index.PlayedProcess;
import io.stowline.table.internal.index.PlayedProcess.Fate;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.operation.TableHolder;
import io.stowline.table.internal.range.OutagePatience;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntitySource;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.transport.internal.http.PlayTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transfers through outages of the service, in virtual time. */
@Timeout(120)
class OutageTest {

    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final int ROWS = 2_500;

    /** The threads of a transfer take their time, and virtual time passes beside them: far more than a slow machine needs. */
    private static final Duration SLACK = Duration.ofHours(2);

    private final TransferBench bench = new TransferBench();
    private final PlayTime time = new PlayTime();
    private final PlayedProcess process = new PlayedProcess(
            bench.memory,
            time,
            RetrySettings.builder()
                    .deadline(DEADLINE)
                    .attemptTimeout(Duration.ofSeconds(5))
                    .build());
    private final DefaultTableTransfers tables = new DefaultTableTransfers(
            ((TableContext<?>) ((TableHolder<?>) process.table("source", Entity.class)).member()).service());

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void fill() {
        bench.filled(
                "source",
                IntStream.range(0, ROWS)
                        .mapToObj(i -> Entity.builder("p", "r%05d".formatted(i))
                                .set("Number", i)
                                .build())
                        .toList());
        bench.table("target");
        file = folder.resolve("source.jsonl");
        bench.storage.tables().export("source", file);
    }

    @AfterEach
    void close() {
        process.end();
        bench.close();
    }

    /** Lets time pass while the threads of the transfer wait. */
    private <R> R played(Supplier<R> transfer) {
        CompletableFuture<R> end = CompletableFuture.supplyAsync(transfer);
        long guard = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!end.isDone() && System.nanoTime() < guard) {
            time.advanceTimeBy(STEP.dividedBy(50));
            LockSupport.parkNanos(40_000);
        }
        return end.join();
    }

    /** The attempts that the end of a transfer has left give their permits back by themselves, within a second. */
    private void awaitPermits() {
        Duration left = now();
        played(() -> {
            while (process.permits() > 0 && now().minus(left).compareTo(SLACK) < 0) {
                Thread.onSpinWait();
            }
            return left;
        });
        assertThat(process.permits()).isZero();
    }

    private Duration now() {
        return Duration.ofNanos(time.now(TimeUnit.NANOSECONDS));
    }

    private TableTransferReport imported(ImportMode mode) {
        return tables.importFrom(file, "target", with -> with.mode(mode).parallelism(2));
    }

    /** Makes the service fail from a request on, for a time from then on. */
    private void outage(int from, Duration length, Fate fate) {
        Duration[] end = {null};
        process.fates(number -> {
            if (number >= from && end[0] == null) {
                end[0] = now().plus(length);
            }
            return end[0] != null && now().compareTo(end[0]) < 0 ? fate : Fate.SERVED;
        });
    }

    @ParameterizedTest
    @CsvSource({
        "replace, SILENT",
        "replace, RESPONSE_LOST",
        "insertOnly, SILENT",
        "insertOnly, REQUEST_LOST",
        "export, REQUEST_LOST",
        "export, SILENT",
        "copy, REQUEST_LOST",
        "compare, REQUEST_LOST",
    })
    @DisplayName("MOVE-2: a transfer waits for the end of an outage of minutes, and goes on to the result without one")
    void outages(String verb, Fate fate) {
        boolean writes = !verb.equals("export") && !verb.equals("compare");
        outage(writes ? 7 : 2, Duration.ofMinutes(2), fate);
        switch (verb) {
            case "replace" ->
                assertThat(played(() -> imported(ImportMode.replace())).read()).isEqualTo(ROWS);
            case "insertOnly" -> {
                TableTransferReport report = played(() -> imported(ImportMode.insertOnly()));
                assertThat(report.written() + report.unchanged()).isEqualTo(ROWS);
                assertThat(report.rejected()).isZero();
            }
            case "copy" ->
                played(() -> tables.copy("source", process.table("target", Entity.class), with -> with.parallelism(1)));
            case "export" -> {
                Path again = folder.resolve("again.jsonl");
                played(() -> tables.export("source", again, with -> with.parallelism(1)));
                assertThat(again).hasSameBinaryContentAs(file);
            }
            default -> assertThat(compared()).isEmpty();
        }
        assertThat(now()).isBetween(Duration.ofMinutes(2), SLACK);
        if (writes) {
            assertThat(bench.content("target")).isEqualTo(bench.content("source"));
        }
    }

    private List<EntityDifference> compared() {
        return played(() -> {
            try (Stream<EntityDifference> found = tables.compare(
                    EntitySource.of(process.table("source", Entity.class)),
                    EntitySource.of(file),
                    with -> with.parallelism(1))) {
                return found.toList();
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"SILENT", "REQUEST_LOST"})
    @DisplayName("MOVE-2: a longer outage ends an import, and the same call goes on after it")
    void longOutages(Fate fate) {
        outage(7, Duration.ofDays(1), fate);
        Throwable failure = catchThrowable(() -> played(() -> imported(ImportMode.replace())));
        assertThat(failure)
                .cause()
                .isInstanceOfAny(OutcomeUnknownException.class, UnreachableException.class)
                .isInstanceOf(StorageException.class);
        assertThat(now()).isBetween(OutagePatience.MAX, OutagePatience.MAX.plus(SLACK));
        awaitPermits();

        process.fates(number -> Fate.SERVED);
        TableTransferReport report = played(() -> imported(ImportMode.replace()));
        assertThat(report.resumed()).isTrue();
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
    }

    @Test
    @DisplayName("MOVE-2: a service that never responds to a transfer ends it by the deadline of one request")
    void neverReached() {
        process.fates(number -> Fate.REQUEST_LOST);
        assertThat(catchThrowable(() -> played(() -> imported(ImportMode.insertOnly()))))
                .hasCauseInstanceOf(UnreachableException.class);
        assertThat(now()).isLessThan(DEADLINE.multipliedBy(2));
        assertThat(process.permits()).isZero();
    }
}
