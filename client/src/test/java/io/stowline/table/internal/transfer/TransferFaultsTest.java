package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.error.AuthenticationException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.table.Entity;
import io.stowline.table.internal.format.TableManifest;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntitySource;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.table.transfer.TableTransfers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers whose responses are lost or refused, that are interrupted, and that go on. */
class TransferFaultsTest {

    private final TransferBench bench = new TransferBench();
    private final TableTransfers tables = bench.storage.tables();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        bench.close();
    }

    private static List<Entity> rows(int partitions, int rows) {
        return IntStream.range(0, partitions * rows)
                .mapToObj(i -> Entity.builder("p%02d".formatted(i / rows), "r%05d".formatted(i % rows))
                        .set("Number", (long) i)
                        .build())
                .toList();
    }

    private void refuse(String method, String path) {
        bench.memory.refuseNext(method, path, 403, "AuthorizationFailure");
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT_ONLY", "REPLACE", "MERGE", "REPLACE_IF_NEWER"})
    void lostResponsesLoseAndDoubleNothing(String rule) throws IOException {
        bench.filled("source", rows(3, 240));
        bench.table("target");
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);
        ImportMode mode =
                switch (ImportMode.Rule.valueOf(rule)) {
                    case INSERT_ONLY -> ImportMode.insertOnly();
                    case REPLACE -> ImportMode.replace();
                    case MERGE -> ImportMode.merge();
                    case REPLACE_IF_NEWER -> ImportMode.replaceIfNewer("Number");
                };
        for (int i = 0; i < 4; i++) {
            bench.memory.loseNextResponse("POST", "$batch");
        }

        TableTransferReport report = tables.importFrom(file, "target", with -> with.mode(mode));

        assertThat(report.written() + report.unchanged()).isEqualTo(720);
        assertThat(report.rejected()).isZero();
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void anExportGoesOnAfterAFailure(int position) throws IOException {
        bench.filled("source", rows(2, 11_000));
        Path whole = folder.resolve("whole.jsonl.gz");
        tables.export("source", whole, with -> with.parallelism(2));
        Path file = folder.resolve("source.jsonl.gz");
        List<TableTransferReport> done = new ArrayList<>();
        Random random = new Random(position);

        for (int i = 0; i <= position; i++) {
            int after = random.nextInt(20);
            int[] calls = {0};
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> tables.export(
                            "source", file, with -> with.parallelism(2).progress(p -> {
                                if (calls[0]++ >= after % 2) {
                                    throw new IllegalStateException("killed");
                                }
                            })))
                    .withMessageContaining("killed");
        }
        done.add(tables.export("source", file, with -> with.parallelism(2)));

        assertThat(done.get(0).read()).isEqualTo(22_000);
        assertThat(Files.readAllBytes(file)).isEqualTo(Files.readAllBytes(whole));
        assertThat(folder.resolve("source.jsonl.gz.export")).doesNotExist();
    }

    @Test
    void anImportGoesOnAfterARefusal() throws IOException {
        bench.filled("source", rows(5, 300));
        bench.table("target");
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);
        refuse("POST", "$batch");

        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> tables.importFrom(file, "target", with -> with.mode(ImportMode.insertOnly())));
        assertThat(folder.resolve("source.jsonl.import")).isDirectory();
        try (Stream<Path> files = Files.list(folder.resolve("source.jsonl.import"))) {
            for (Path each : files.toList()) {
                assertThat(Files.readString(each, StandardCharsets.UTF_8))
                        .doesNotContain("AccountKey", "sig=")
                        .doesNotContain(bench.memory.connectionString()
                                .split("AccountKey=")[1]
                                .split(";")[0]);
            }
        }
        TableTransferReport report = tables.importFrom(file, "target", with -> with.mode(ImportMode.insertOnly()));

        assertThat(report.read()).isEqualTo(1_500);
        assertThat(report.written() + report.unchanged()).isEqualTo(1_500);
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
        assertThat(folder.resolve("source.jsonl.import")).doesNotExist();
    }

    @Test
    void aCopyGoesOnAfterARefusal() {
        bench.filled("source", rows(5, 300));
        refuse("POST", "$batch");
        Path state = folder.resolve("copy");

        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> tables.copy("source", bench.table("target"), with -> with.state(state)));
        TableTransferReport report = tables.copy("source", bench.table("target"), with -> with.state(state));

        assertThat(report.written()).isEqualTo(1_500);
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
        assertThat(state).doesNotExist();
    }

    @Test
    @DisplayName(
            "MOVE-2: a comparison that ended early gives, when it is called again, the differences of one that did not")
    void aComparisonBeginsAgainAfterAFailure() throws IOException {
        List<Entity> rows = new ArrayList<>(rows(5, 300));
        bench.filled("source", rows);
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        Collections.shuffle(lines, new Random(1));
        Files.delete(TableManifest.beside(file));
        Files.write(file, lines);
        bench.storage.table("source").delete("p00", "r00005");
        bench.storage.table("source").delete("p04", "r00299");
        List<Path> before = temporary();

        refuse("GET", "source");
        assertThatExceptionOfType(AuthenticationException.class).isThrownBy(() -> differing(file, Long.MAX_VALUE));
        assertThat(differing(file, 1)).containsExactly("r00005");
        assertThatIllegalStateException().isThrownBy(() -> tables.compare(
                        EntitySource.of(bench.storage.table("source")),
                        EntitySource.of(file),
                        with -> with.progress(now -> {
                            throw new IllegalStateException("killed");
                        }))
                .forEach(difference -> {}));

        assertThat(differing(file, Long.MAX_VALUE)).containsExactly("r00005", "r00299");
        assertThat(temporary()).isEqualTo(before);
    }

    @Test
    void aFailedComparisonHasNoEnd() {
        bench.filled("source", rows(5, 300));
        bench.filled("target", rows(4, 300));
        Iterator<EntityDifference> differences = tables.compare(
                        EntitySource.of(bench.storage.table("source")),
                        EntitySource.of(bench.storage.table("target")),
                        with -> with.progress(now -> {
                            throw new IllegalStateException("killed");
                        }))
                .iterator();

        assertThatIllegalStateException().isThrownBy(differences::hasNext).withMessage("killed");
        assertThatIllegalStateException()
                .isThrownBy(differences::hasNext)
                .withMessage("the comparison was closed or has failed before its end");
    }

    private List<String> differing(Path file, long max) {
        try (Stream<EntityDifference> found =
                tables.compare(EntitySource.of(bench.storage.table("source")), EntitySource.of(file))) {
            return found.limit(max).map(EntityDifference::rowKey).toList();
        }
    }

    /** Returns the folders of this process's comparisons; other processes have theirs in the same place. */
    private static List<Path> temporary() throws IOException {
        String own = "stowline-compare-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(path -> path.getFileName().toString().startsWith(own))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aStateServesItsTransferAlone() throws IOException {
        bench.filled("source", rows(1, 10));
        Path file = folder.resolve("source.jsonl");
        assertThatIllegalStateException()
                .isThrownBy(() -> tables.export(
                        "source",
                        file,
                        with -> with.progress(p -> {
                            throw new IllegalStateException("killed");
                        })));

        assertThatIllegalStateException()
                .isThrownBy(() -> tables.export("source", file, with -> with.partition("p00")))
                .withMessageContaining("another transfer");
        Path foreign = Files.createDirectory(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("mine.txt"), "mine");
        assertThatIllegalStateException()
                .isThrownBy(() -> tables.copy("source", bench.table("target"), with -> with.state(foreign)))
                .withMessageContaining("mine.txt");
        assertThat(tables.export("source", file).read()).isEqualTo(10);
    }

    @Test
    void anInterruptEndsATransferAndItsThreads() throws IOException {
        bench.filled("source", rows(5, 300));
        bench.table("target");
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);
        Thread caller = Thread.currentThread();

        assertThatExceptionOfType(StorageInterruptedException.class)
                .isThrownBy(() ->
                        tables.importFrom(file, "target", with -> with.rate(100).progress(p -> caller.interrupt())));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("stowline-import"));
        assertThat(tables.importFrom(file, "target").read()).isEqualTo(1_500);
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
    }
}
