package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exports, imports and copies of tables whose processes are killed at seeded moments, and what the next run makes of it. */
@AzuriteTest
@Timeout(900)
class TableTransferKillIT {

    private static final Duration GUARD = Duration.ofSeconds(60);
    private static final int ROWS = 3_000;

    private final String name =
            "t" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);

    @TempDir
    Path folder;

    private Process start(FaultProxy proxy, String verb, String target, Path path) throws IOException {
        return ForkedJvm.of(
                        TableTransferProcess.class,
                        List.of("-Xmx128m", "-XX:+UseSerialGC"),
                        proxy.storage().connectionString(),
                        verb,
                        name,
                        target,
                        path.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("child.log").toFile())
                .start();
    }

    /** Kills a process once so many requests have passed the proxy, or lets it end if it sends fewer. */
    private void kill(FaultProxy proxy, String verb, String target, Path path, int passing) throws Exception {
        RequestHold hold = new RequestHold();
        FaultRule rule = proxy.when(RequestMatch.requests().from(passing + 1)).holdBefore(hold);
        Process process = start(proxy, verb, target, path);
        try {
            while (process.isAlive() && rule.hits() == 0) {
                process.waitFor(5, TimeUnit.MILLISECONDS);
            }
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
            rule.remove();
            hold.release();
        }
        proxy.awaitIdle(GUARD);
    }

    private void fill(Stowline storage) {
        Table<Entity> table = storage.table(name);
        table.create();
        try (TableWriter<Entity> writer = table.writer()) {
            for (int i = 0; i < ROWS; i++) {
                writer.insert(Entity.builder("p%d".formatted(i / 400), "r%05d".formatted(i))
                        .set("Number", (long) i)
                        .set("Text", "x".repeat(i % 50))
                        .build());
            }
        }
    }

    private void killed(Azurite azurite, int seed, String verb) throws Exception {
        Random random = new Random(seed);
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start();
                Stowline storage = Stowline.connect(proxy.storage().connectionString())) {
            fill(storage);
            String target = name + "x";
            Table<Entity> copy = storage.table(target);
            copy.create();
            Path whole = folder.resolve("whole.jsonl.gz");
            storage.tables().export(name, whole, with -> with.parallelism(2));
            Path path = verb.equals("import") ? whole : folder.resolve("killed.jsonl.gz");
            for (int kills = 1 + random.nextInt(3); kills > 0; kills--) {
                kill(proxy, verb, target, path, 1 + random.nextInt(45));
            }
            if (verb.equals("export") && Files.exists(path)) {
                assertThat(Files.readAllBytes(path)).isEqualTo(Files.readAllBytes(whole));
                Files.delete(path);
            }

            TableTransferProcess.run(storage, verb, name, target, path);

            if (verb.equals("export")) {
                assertThat(Files.readAllBytes(path)).isEqualTo(Files.readAllBytes(whole));
            } else {
                assertThat(copy.query().list())
                        .isEqualTo(storage.table(name).query().list())
                        .hasSize(ROWS);
                assertThat(folder.resolve("whole.jsonl.gz.rejected.jsonl")).doesNotExist();
            }
            storage.table(name).drop();
            copy.drop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"export", "import", "copy"})
    @DisplayName("MOVE-1, MOVE-2: after kill -9 a transfer of a table gives the rows of one that was not killed")
    void killedAtAMoment(String verb, Azurite azurite) throws Exception {
        killed(azurite, 1, verb);
    }

    @Test
    @DisplayName("MOVE-2: after kill -9 a comparison gives the differences of one that was not killed")
    void killedComparison(Azurite azurite) throws Exception {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start();
                Stowline storage = Stowline.connect(proxy.storage().connectionString())) {
            fill(storage);
            Table<Entity> copy = storage.table(name + "x");
            copy.create();
            storage.tables().copy(name, copy);
            copy.delete("p0", "r00007");
            copy.insert(Entity.builder("p7", "r99999").build());
            Path whole = folder.resolve("whole.txt");
            TableTransferProcess.run(storage, "compare", name, copy.name(), whole);
            assertThat(whole).content().contains("r00007", "r99999").hasLineCount(2);
            Path path = folder.resolve("killed.txt");
            kill(proxy, "compare", copy.name(), path, 20);
            assertThat(path).doesNotExist();

            TableTransferProcess.run(storage, "compare", name, copy.name(), path);

            assertThat(path).hasSameTextualContentAs(whole);
            storage.table(name).drop();
            copy.drop();
        }
    }

    @ParameterizedTest
    @Tag("soak")
    @Timeout(3_600)
    @ValueSource(strings = {"export", "import", "copy"})
    @DisplayName("MOVE-1, MOVE-2: after kill -9 at 20 moments a transfer of a table gives the same rows")
    void killedAtTwentyMoments(String verb, Azurite azurite) throws Exception {
        for (int seed = 2; seed < 22; seed++) {
            killed(azurite, seed, verb);
            try (var files = Files.walk(folder)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
