package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.error.StorageInterruptedException;
import io.stowline.table.Entity;
import io.stowline.table.internal.transfer.RowWriter.GroupResult;
import io.stowline.table.transfer.TableTransferSettings;
import io.stowline.table.transfer.TableTransfers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.scheduler.Schedulers;

/** Transfers whose caller is interrupted: the error names the transfer, the flag stays, and the state is sound. */
class InterruptedTransferTest {

    private final TransferBench bench = new TransferBench();
    private final TableTransfers tables = bench.storage.tables();
    private final Thread caller = Thread.currentThread();

    @TempDir
    Path folder;

    @BeforeEach
    void fill() {
        bench.filled(
                "source",
                IntStream.range(0, 600)
                        .mapToObj(i -> Entity.builder("p%02d".formatted(i / 200), "%03d".formatted(i % 200))
                                .set("A", i)
                                .build())
                        .toList());
        bench.table("target");
    }

    @AfterEach
    void close() {
        assertThat(Thread.interrupted()).isFalse();
        bench.close();
    }

    private void interrupted(Runnable transfer, String... names) {
        assertThatExceptionOfType(StorageInterruptedException.class)
                .isThrownBy(transfer::run)
                .withCauseInstanceOf(InterruptedException.class)
                .satisfies(thrown -> assertThat(thrown).hasMessageContainingAll(names));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void resultsAreSavedAfterAnInterrupt() throws IOException {
        Path place = folder.resolve("state");
        try (TransferState state = TransferState.open(place, "test")) {
            state.parts(List.of(Map.of()));
            try (SettledRows settled = SettledRows.open(state, 0, Schedulers.parallel())) {
                caller.interrupt();
                settled.add(new GroupResult(
                        new CoveredRows(7, 70), new PartTally(), List.of("row\n".getBytes(StandardCharsets.UTF_8))));
                settled.save();
                assertThat(Thread.interrupted()).isTrue();
                settled.add(new GroupResult(
                        new CoveredRows(1, 5), new PartTally(), List.of("two\n".getBytes(StandardCharsets.UTF_8))));
                settled.save();
            }
        }
        assertThat(place.resolve("0.rejected")).hasContent("row\ntwo\n");
        try (TransferState state = TransferState.open(place, "test")) {
            assertThat(CoveredRows.of(state.parts().get(0))).isEqualTo(new CoveredRows(8, 75));
            state.end();
        }
    }

    @Test
    void aTransferOfAnInterruptedCallerNamesItself() throws IOException {
        Path file = folder.resolve("rows.jsonl");
        tables.export("source", file);
        Path other = folder.resolve("other.jsonl");
        Path state = folder.resolve("state");

        caller.interrupt();
        interrupted(() -> tables.export("source", other), "export of source to " + other);
        caller.interrupt();
        interrupted(() -> tables.importFrom(file, "target"), "import of " + file + " to target");
        caller.interrupt();
        interrupted(
                () -> tables.copy("source", bench.storage.table("target"), with -> with.state(state)),
                "copy of source to target");

        assertThat(tables.export("source", other).read()).isEqualTo(600);
        assertThat(Files.readAllBytes(other)).isEqualTo(Files.readAllBytes(file));
        assertThat(tables.importFrom(file, "target").read()).isEqualTo(600);
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
    }

    @Test
    void aTransferThatIsInterruptedOnItsWayNamesItselfAndGoesOn() throws IOException {
        Path file = folder.resolve("rows.jsonl");
        tables.export("source", file);
        Path other = folder.resolve("other.jsonl");
        UnaryOperator<TableTransferSettings.Builder> interrupting =
                with -> with.parallelism(1).rate(400).progress(p -> caller.interrupt());

        interrupted(() -> tables.export("source", other, interrupting), "export of source to " + other);
        interrupted(() -> tables.importFrom(file, "target", interrupting), "import of " + file + " to target");

        assertThat(tables.export("source", other).read()).isEqualTo(600);
        assertThat(Files.readAllBytes(other)).isEqualTo(Files.readAllBytes(file));
        assertThat(tables.importFrom(file, "target").read()).isEqualTo(600);
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
    }
}
