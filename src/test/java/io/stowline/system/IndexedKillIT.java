package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.table.Entity;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableWriter;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that write entities with index rows, or fill an index, and are killed at seeded moments. */
@AzuriteTest
@Timeout(600)
class IndexedKillIT {

    private static final Duration GUARD = Duration.ofSeconds(60);
    private static final int ROWS = 900;
    private static final int PARTITIONS = 6;

    private final String name = "x" + UUID.randomUUID().toString().replace("-", "");
    private final List<String> reports = new ArrayList<>();

    /** The numbers of the operations that each entity may have had last. */
    private final Map<Integer, Set<Integer>> last = new HashMap<>();

    private FaultProxy proxy;
    private Stowline storage;
    private int accepted;

    @TempDir
    Path folder;

    @BeforeEach
    void start(Azurite azurite) {
        proxy = FaultProxy.builder().inFrontOf(azurite).start();
        storage = Stowline.connect(proxy.storage().connectionString());
        storage.table(name).create();
    }

    @AfterEach
    void stop() {
        storage.table(name).drop();
        storage.close();
        proxy.close();
    }

    private Process process(String... args) throws IOException {
        List<String> all = new ArrayList<>(List.of(proxy.storage().connectionString(), name));
        all.addAll(List.of(args));
        return ForkedJvm.of(IndexedProcess.class, List.of("-Xmx256m", "-XX:+UseSerialGC"), all.toArray(String[]::new))
                .redirectError(folder.resolve("log").toFile())
                .start();
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    private void note(String line) {
        if (line.startsWith("R ")) {
            reports.add(line);
        } else if (line.startsWith("A ")) {
            accepted = Integer.parseInt(line.substring(2));
            last.put(accepted % IndexedProcess.ENTITIES, new HashSet<>(Set.of(accepted)));
        }
    }

    /** Lets a process write from an operation on, and kills it after so many more were accepted. */
    private void killed(int first, int lines) throws Exception {
        accepted = first - 1;
        Process process = process(folder.resolve("journal").toString(), String.valueOf(first));
        int left = lines;
        try (BufferedReader reader = reader(process)) {
            String line = reader.readLine();
            while (line != null && left-- > 0) {
                note(line);
                line = reader.readLine();
            }
            process.destroyForcibly();
            while (line != null) {
                note(line);
                line = reader.readLine();
            }
        } catch (IOException closed) {
            // The kill came first.
        }
        assertThat(process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
        proxy.awaitIdle(GUARD);
        assertThat(process.exitValue())
                .as("killed, and no end of its own\n" + log())
                .isEqualTo(137);
        // The next one may be on disk without a line.
        last.computeIfAbsent((accepted + 1) % IndexedProcess.ENTITIES, of -> new HashSet<>(Set.of(-1)))
                .add(accepted + 1);
    }

    private void finished() throws Exception {
        Process process = process(folder.resolve("journal").toString(), "-1");
        try (BufferedReader reader = reader(process)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                note(line);
            }
        }
        assertThat(process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(log()).isZero();
    }

    private void journaled(int seed, int kills) throws Exception {
        Random random = new Random(seed);
        FaultRule lost =
                proxy.when(RequestMatch.requests().method("POST").chance(0.03)).loseResponse();
        FaultRule reset =
                proxy.when(RequestMatch.requests().method("POST").chance(0.03)).reset();
        for (int kill = 0; kill < kills; kill++) {
            int next = (accepted + 1 + IndexedProcess.ROUND) / IndexedProcess.ROUND * IndexedProcess.ROUND;
            killed(kill == 0 ? 0 : next, 20 + random.nextInt(500));
        }
        finished();
        lost.remove();
        reset.remove();

        assertThat(reports).hasSize(kills + 1).allMatch(line -> line.matches("R [0-9]+ [0-9]+ 0 0 0"));
        List<Registration> found = indexed().query().list();
        Map<String, Registration> byId = new HashMap<>();
        found.forEach(each -> byId.put(each.id(), each));
        assertThat(last).isNotEmpty().allSatisfy((of, numbers) -> assertThat(numbers.stream()
                        .map(number -> number < 0 ? Optional.<Registration>empty() : IndexedProcess.state(number)))
                .as("entity %d after one of the operations %s", of, numbers)
                .contains(Optional.ofNullable(byId.get("r" + of))));
        assertThat(indexed().repair()).isEqualTo(new IndexReport(found.size(), 0, 0, 0, 0));
        assertThat(storage.table(name).query().list())
                .as("an entity, two copies and a reference each")
                .extracting(Entity::rowKey)
                .hasSize(4 * found.size());
    }

    private IndexedTable<Registration> indexed() {
        return IndexedProcess.indexed(storage.table(name, Registration.class));
    }

    @Test
    @DisplayName(
            "BATCH-15: of a writer with indexes that is killed again and again no operation is lost, and no index row")
    void journalAfterKills() throws Exception {
        journaled(1, 2);
    }

    @ParameterizedTest
    @Tag("soak")
    @Timeout(3_600)
    @ValueSource(ints = {2, 3, 4, 5, 6})
    @DisplayName("BATCH-15: ten kills of a writer with indexes lose nothing")
    void journalAfterManyKills(int seed) throws Exception {
        journaled(seed, 10);
    }

    /** Kills a backfill once so many requests have passed the proxy; returns the last partition that it had passed. */
    private String killedBackfill(String from, int passing) throws Exception {
        RequestHold hold = new RequestHold();
        FaultRule rule = proxy.when(RequestMatch.requests().from(passing + 1)).holdBefore(hold);
        Process process = process("backfill", from);
        String reached = from;
        try (BufferedReader reader = reader(process)) {
            while (process.isAlive() && rule.hits() == 0) {
                process.waitFor(5, TimeUnit.MILLISECONDS);
            }
            process.destroyForcibly();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                reached = line.startsWith("P ") ? line.substring(2) : reached;
            }
        } catch (IOException closed) {
            // The kill came first.
        } finally {
            rule.remove();
            hold.release();
        }
        assertThat(process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
        proxy.awaitIdle(GUARD);
        return reached;
    }

    private void filled(int seed) throws Exception {
        Random random = new Random(seed);
        IndexedTable<Registration> runners = indexed();
        try (TableWriter<Registration> writer = runners.entityWriter(w -> w.linger(Duration.ofMillis(50)))) {
            IntStream.range(0, ROWS).mapToObj(this::row).forEach(writer::insert);
        }
        String reached = "";
        for (int kills = 2; kills > 0; kills--) {
            reached = killedBackfill(reached, 2 + random.nextInt(20));
        }
        // Another process writes the same table.
        try (TableWriter<Registration> writer = runners.writer()) {
            IntStream.range(0, 50).forEach(i -> writer.insertOrReplace(row(i).aged(99)));
            runners.backfillFrom(reached.isEmpty() ? "race0" : reached, (partition, soFar) -> {});
        }
        assertThat(runners.repair()).isEqualTo(new IndexReport(ROWS, 0, 0, 0, 0));
        assertThat(runners.global(IndexedProcess.SHARED, "m7@x"))
                .extracting(StoredEntity::value)
                .containsExactly(row(7).aged(99));
        assertThat(storage.table(name).query().list()).hasSize(4 * ROWS);
    }

    private Registration row(int number) {
        return new Registration(
                "race" + number * PARTITIONS / ROWS, "r" + number, number, 20 + number % 60, "m" + number + "@x");
    }

    @Test
    @DisplayName("E14: a backfill whose processes are killed goes on from its progress, beside a writer")
    void backfillAfterKills() throws Exception {
        filled(1);
    }

    @ParameterizedTest
    @Tag("soak")
    @Timeout(3_600)
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9})
    @DisplayName("E14: backfills that are killed at other moments go on as well")
    void backfillAfterManyKills(int seed) throws Exception {
        filled(seed);
    }
}
