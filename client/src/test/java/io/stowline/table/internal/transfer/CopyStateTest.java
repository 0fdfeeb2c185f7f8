package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.operation.TableHolder;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.table.transfer.TableTransferSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.scheduler.VirtualTimeScheduler;

@Timeout(120)
@DisplayName("MOVE-5: a killed transfer loses a second of rows, and is resumed only if it has kept some")
class CopyStateTest {

    @TempDir
    Path folder;

    private final TransferBench bench = new TransferBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static List<Entity> rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Entity.builder("p" + i % 4, String.format("%06d", i))
                        .set("X", i)
                        .build())
                .toList();
    }

    private TableTransferReport copy() {
        return bench.storage.tables().copy("source", bench.table("target"), with -> with.state(folder.resolve("state"))
                .parallelism(1));
    }

    /** A listener that throws ends a copy as a kill does: nothing is saved any more, and no other part is at its end by then. */
    private void killedAtTheFirstRows() {
        assertThatThrownBy(() -> bench.storage.tables().copy("source", bench.table("target"), with -> with.state(
                                folder.resolve("state"))
                        .parallelism(1)
                        .progress(p -> {
                            throw new IllegalStateException("killed");
                        })))
                .hasStackTraceContaining("killed");
    }

    @Test
    void aStateWithoutRowsIsNotResumed() {
        bench.filled("source", rows(2_000));
        killedAtTheFirstRows();
        assertThat(folder.resolve("state").resolve("state.jsonl")).exists();

        TableTransferReport report = copy();

        assertThat(report.resumed()).isFalse();
        assertThat(report.written()).isEqualTo(2_000);
        assertThat(bench.content("target")).hasSize(2_000);
    }

    @Test
    void anImportWithoutRowsIsNotResumed() throws IOException {
        bench.filled("source", rows(500));
        Path file = folder.resolve("rows.jsonl");
        bench.storage.tables().export("source", file);
        try (TransferState state = TransferState.open(folder.resolve("rows.jsonl.import"), identityOfImport(file))) {
            state.parts(List.of(Map.of()));
        }

        TableTransferReport report = bench.storage.tables().importFrom(file, "target");

        assertThat(report.resumed()).isFalse();
        assertThat(report.written()).isEqualTo(500);
    }

    private String identityOfImport(Path file) throws IOException {
        TableService service = service(bench.table("target").as(Entity.class));
        return TransferIdentity.of(
                "import",
                TransferIdentity.file(file),
                TransferIdentity.table(service, "target"),
                new TransferScope(TableTransferSettings.builder().build()));
    }

    private static TableService service(Table<Entity> table) {
        return ((TableContext<?>) ((TableHolder<?>) table).member()).service();
    }

    @Test
    @DisplayName("a part of a copy requests a position a second after the last one, and that covers all of its rows")
    void aPositionIsDueEachSecond() throws IOException {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        Table<Entity> target = bench.table("target").as(Entity.class);
        try (TransferState state = TransferState.open(folder.resolve("part"), "copy");
                TransferThreads threads = new TransferThreads("copy", 2)) {
            state.parts(List.of(Map.of()));
            PartSink part = TableCopy.part(
                    SettledRows.open(state, 0, time),
                    new RowWriter(target, ImportMode.replace(), false, service(target)),
                    threads,
                    time);
            for (Entity row : rows(150)) {
                part.row(row);
            }
            time.advanceTimeBy(Duration.ofMillis(999));
            assertThat(part.isDue()).isFalse();
            time.advanceTimeBy(Duration.ofMillis(1));
            assertThat(part.isDue()).isTrue();

            assertThat(part.flush()).containsEntry("Read", 150L).containsEntry("Written", 150L);
            assertThat(part.isDue()).isFalse();
            assertThat(bench.content("target")).hasSize(150);
            part.close();
        }
    }

    @Test
    @DisplayName("a scan saves the position that its sink requests, and goes on behind it")
    void aPositionThatIsDueIsSaved() throws IOException {
        bench.filled("source", rows(1_000));
        DueSink sink = new DueSink(130);
        Path state = folder.resolve("scan");
        assertThatThrownBy(() -> scan(state, sink)).hasStackTraceContaining("killed");

        assertThat(Files.readString(state.resolve("state.jsonl")))
                .contains("LastRow")
                .contains("\"Read\":\"100\"");
        try (TransferState left = TransferState.open(state, "scan")) {
            assertThat(left.resumed()).isTrue();
        }
        DueSink rest = new DueSink(Integer.MAX_VALUE);
        scan(state, rest);
        assertThat(rest.taken).isEqualTo(900);
    }

    private void scan(Path folderOfState, DueSink sink) throws IOException {
        Table<Entity> source = bench.storage.table("source").as(Entity.class);
        TableService service = service(source);
        TableTransferSettings settings = TableTransferSettings.builder()
                .parallelism(1)
                .partitionPrefix("p")
                .build();
        try (TransferState state = TransferState.open(folderOfState, "scan")) {
            if (!state.found()) {
                state.parts(List.of(Map.of()));
            }
            new PartedScan(
                            source,
                            new TransferScope(settings),
                            state,
                            new TransferMeter(settings.progress(), service.timer()),
                            new RowRate(settings.rate(), service.timer(), service::pause),
                            service)
                    .run((part, saved) -> sink);
        }
    }

    /** A sink that is due after 50 rows each, and throws after some. */
    private static final class DueSink implements PartSink {

        private final int most;
        private int taken;

        DueSink(int most) {
            this.most = most;
        }

        @Override
        public void row(Entity entity) {
            if (taken == most) {
                throw new IllegalStateException("killed");
            }
            taken++;
        }

        @Override
        public boolean isDue() {
            return taken % 50 == 0;
        }

        @Override
        public Map<String, Object> flush() {
            return Map.of("Read", (long) taken);
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
