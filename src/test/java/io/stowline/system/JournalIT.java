package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestMatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that writes through a journal is killed again and again. */
@AzuriteTest
class JournalIT {

    private static final int KILLS = Integer.getInteger("stowline.explore", 1) > 1 ? 10 : 2;
    private static final int MIN_LINES = 40;
    private static final Pattern CONTENT = Pattern.compile("\"Text\":\"((?:row|flip)[0-9]+)!\"");

    private final String name = "j" + UUID.randomUUID().toString().replace("-", "");
    private FaultProxy proxy;

    @TempDir
    Path folder;

    private final Random random = new Random();
    private final Set<Long> rows = new HashSet<>();
    private final Set<Long> flips = new HashSet<>();
    private final List<String> reports = new ArrayList<>();
    private long counter;

    @BeforeEach
    void start(Azurite azurite) {
        proxy = FaultProxy.builder()
                .inFrontOf(azurite)
                .recordedExchanges(200_000)
                .start();
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    @DisplayName("BATCH-15: of a process that is killed again and again nothing accepted is lost, and each effect comes"
            + " once")
    void survivesKills() throws Exception {
        try (Stowline storage = Stowline.connect(proxy.storage().connectionString())) {
            Table<Entity> table = storage.table(name, Entity.class);
            table.create();
            table.insert(Entity.builder(JournalWorker.COUNTER, JournalWorker.COUNTER)
                    .set("Value", 0L)
                    .build());
            proxy.when(RequestMatch.requests().method("POST").chance(0.03)).loseResponse();
            proxy.when(RequestMatch.requests().method("POST").chance(0.03)).reset();
            for (int run = 1; run <= KILLS; run++) {
                killed(String.valueOf(run * 1_000_000L));
            }
            finished();
            check(table);
            table.drop();
        }
    }

    private void killed(String first) throws Exception {
        Process worker = worker(first);
        int left = MIN_LINES + random.nextInt(400);
        try (BufferedReader lines = reader(worker)) {
            String line = lines.readLine();
            while (line != null && left-- > 0) {
                note(line);
                line = lines.readLine();
            }
            worker.destroyForcibly();
            while (line != null) {
                note(line);
                line = lines.readLine();
            }
        } catch (IOException closed) {
            // The kill came first.
        }
        assertThat(worker.waitFor(30, TimeUnit.SECONDS)).isTrue();
        proxy.awaitIdle(Duration.ofSeconds(30));
        assertThat(worker.exitValue())
                .as("killed, and no end of its own\n" + log())
                .isEqualTo(137);
    }

    private void finished() throws Exception {
        Process worker = worker("finish");
        try (BufferedReader lines = reader(worker)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line);
            }
        }
        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(worker.exitValue()).as(log()).isZero();
    }

    private Process worker(String first) throws IOException {
        return ForkedJvm.of(
                        JournalWorker.class,
                        List.of("-Xmx256m", "-XX:+UseSerialGC"),
                        proxy.storage().connectionString(),
                        name,
                        folder.resolve("journal").toString(),
                        first)
                .redirectError(folder.resolve("log").toFile())
                .start();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    private static BufferedReader reader(Process worker) {
        return new BufferedReader(new InputStreamReader(worker.getInputStream(), StandardCharsets.UTF_8));
    }

    private void note(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "R" -> reports.add(line);
            case "I" -> rows.add(Long.parseLong(words[1]));
            case "F" -> flips.add(Long.parseLong(words[1]));
            case "C" -> counter = Math.max(counter, Long.parseLong(words[1]));
            default -> {}
        }
    }

    private void check(Table<Entity> table) {
        assertThat(reports).hasSize(KILLS + 1).allMatch(line -> line.matches("R [0-9]+ [0-9]+ 0 0 0"));
        assertThat(table.find(JournalWorker.COUNTER, JournalWorker.COUNTER)
                        .orElseThrow()
                        .value()
                        .get("Value", Long.class))
                .isBetween(counter, counter + 1);
        Set<String> stored = new HashSet<>();
        table.query().list().forEach(each -> stored.add(each.rowKey()));
        assertThat(rows).isNotEmpty().allMatch(number -> stored.contains("row" + number));
        Map<String, Integer> effects = effects();
        assertThat(effects)
                .allSatisfy((content, times) -> assertThat(times).as(content).isEqualTo(1));
        assertThat(flips).isNotEmpty().allMatch(number -> effects.containsKey("flip" + number));
        assertThat(rows).allMatch(number -> effects.containsKey("row" + number));
    }

    /** The number of writes of each content, by the responses of the storage to the proxy. */
    private Map<String, Integer> effects() {
        Map<String, Integer> effects = new TreeMap<>();
        for (RecordedExchange exchange : proxy.recorded(RequestMatch.requests().method("POST"))) {
            boolean done = exchange.served()
                    .or(exchange::response)
                    .map(response ->
                            response.status() / 100 == 2 && !response.text().contains("HTTP/1.1 4"))
                    .orElse(false);
            Matcher contents = CONTENT.matcher(exchange.request().text());
            while (done && contents.find()) {
                effects.merge(contents.group(1), 1, Integer::sum);
            }
        }
        return effects;
    }
}
