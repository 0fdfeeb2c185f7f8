package io.stowline.examples.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.table.Entity;
import io.stowline.table.TableWriter;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@AzuriteTest
@Timeout(300)
class TableKillTest {

    /** Beyond the rows between two positions of an export. */
    private static final int ROWS = 11_200;

    private static final int PARTITIONS = 4;
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final String source = ScratchTable.name("source");
    private final String imported = ScratchTable.name("imported");
    private final String copied = ScratchTable.name("copied");

    @Test
    @DisplayName("an export, an import and a copy that are killed go on with the same command")
    void goesOnAfterKills(Azurite azurite) throws Exception {
        fill(azurite);
        RequestMatch pages = RequestMatch.requests().method("GET").path("**" + source + "()");
        RequestMatch transactions = RequestMatch.requests().path("**$batch");
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start()) {
            run(proxy, "export", source, "whole.jsonl");

            killed(proxy, pages.nth(12), Path.of("rows.jsonl.export"), "export", source, "rows.jsonl");
            assertThat(folder.resolve("rows.jsonl")).doesNotExist();
            goesOn(proxy, "export", source, "rows.jsonl");
            assertThat(folder.resolve("rows.jsonl")).hasSameBinaryContentAs(folder.resolve("whole.jsonl"));

            killed(proxy, transactions.nth(60), Path.of("rows.jsonl.import"), "import", "rows.jsonl", imported);
            goesOn(proxy, "import", "rows.jsonl", imported);

            Path state = Path.of(source + "-to-" + copied + ".copy");
            killed(proxy, transactions.nth(104), state, "copy", source, copied);
            goesOn(proxy, "copy", source, copied);

            run(proxy, "compare", source, imported);
            run(proxy, "compare", "rows.jsonl", copied);
        }
    }

    private void fill(Azurite azurite) {
        try (Stowline storage = Stowline.connect(azurite.connectionString())) {
            storage.table(source).create();
            try (TableWriter<Entity> writer = storage.table(source).writer()) {
                for (int i = 0; i < ROWS; i++) {
                    writer.insert(Entity.builder("part" + i % PARTITIONS, String.format("%08d", i))
                            .set("number", (long) i << 33)
                            .build());
                }
            }
        }
    }

    /** Kills the command while a request is held, after it has saved a position. */
    private void killed(FaultProxy proxy, RequestMatch some, Path state, String... command) throws Exception {
        RequestHold hold = new RequestHold();
        FaultRule rule = proxy.when(some).holdBefore(hold);
        Process process = start(proxy, command);
        hold.awaitArrived(LONG);
        Path saved = folder.resolve(state).resolve("state.jsonl");
        long until = System.nanoTime() + LONG.toNanos();
        while (!Files.readString(saved).matches("(?s).*\"(LastRow|Covered)\".*") && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        process.destroyForcibly();
        assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        hold.release();
        rule.remove();
        assertThat(Files.readString(saved)).doesNotContain("AccountKey", "Signature");
    }

    private void goesOn(FaultProxy proxy, String... command) throws Exception {
        run(proxy, command);
        assertThat(log(command[0])).contains("Went on").containsPattern("read +11,200");
    }

    private void run(FaultProxy proxy, String... command) throws Exception {
        Process process = start(proxy, command);
        assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(() -> log(command[0])).isZero();
    }

    private Process start(FaultProxy proxy, String... command) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TableCommand.class.getName()));
        line.addAll(List.of(command));
        if (!command[0].equals("compare")) {
            line.addAll(List.of("--parallel", "1"));
        }
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().put(ProgramAccount.VARIABLE, proxy.storage().connectionString());
        return builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(command[0] + ".log").toFile())
                .start();
    }

    private String log(String name) {
        try {
            return Files.readString(folder.resolve(name + ".log"), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
