package io.stowline.examples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.table.Entity;
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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@AzuriteTest
@Timeout(300)
class LoadKillTest {

    private static final int ROWS = 2_500;
    private static final int PARTITIONS = 4;
    private static final int EVERY_BAD = 250;
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Pattern RESUMED = Pattern.compile("Goes on at row ([\\d,]+)");

    @TempDir
    Path folder;

    private final String table = ScratchTable.name("killed");

    @Test
    void everyRowIsThereOnceAfterTwoKills(Azurite azurite) throws Exception {
        Path input = folder.resolve("rows.csv");
        Files.write(input, rows());
        List<Long> resumed = new ArrayList<>();

        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start()) {
            for (int kill = 1; kill <= 2; kill++) {
                // Held before and after the emulator in turn: a request that is applied late, and a lost response.
                RequestHold hold = new RequestHold();
                RequestMatch some =
                        RequestMatch.requests().path("**$batch").bodyContaining("'%08d'".formatted(kill * 1_001));
                FaultRule rule = kill % 2 == 0
                        ? proxy.when(some).holdAfter(hold)
                        : proxy.when(some).holdBefore(hold);
                Process process = start(proxy, "kill" + kill);
                hold.awaitArrived(LONG);
                process.destroyForcibly();
                assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
                hold.release();
                rule.remove();
                resumed.addAll(resumed("kill" + kill));
            }
            Process last = start(proxy, "last");
            assertThat(last.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(last.exitValue()).as(() -> log("last")).isEqualTo(1);
            resumed.addAll(resumed("last"));
        }

        assertThat(resumed).as("where the processes went on").hasSize(2).isSorted();
        assertThat(stored(azurite)).isEqualTo(expected());
        assertThat(Files.readAllLines(folder.resolve("rejected.csv"))).hasSize(1 + ROWS / EVERY_BAD);
        assertThat(log("last"))
                .containsPattern("loaded +" + String.format(Locale.ROOT, "%,d", ROWS - ROWS / EVERY_BAD));
        assertThat(folder.resolve("state")).doesNotExist();
    }

    private static List<String> rows() {
        List<String> lines = new ArrayList<>(List.of("p,r,n"));
        for (int i = 1; i <= ROWS; i++) {
            lines.add("part" + i % PARTITIONS + "," + i + "," + (i % EVERY_BAD == 0 ? "none" : i));
        }
        return lines;
    }

    private static Map<String, Long> expected() {
        Map<String, Long> expected = new HashMap<>();
        for (int i = 1; i <= ROWS; i++) {
            if (i % EVERY_BAD != 0) {
                expected.put("part" + i % PARTITIONS + String.format("/%08d", i), (long) i);
            }
        }
        return expected;
    }

    private Map<String, Long> stored(Azurite azurite) {
        Map<String, Long> stored = new HashMap<>();
        try (Stowline storage = Stowline.connect(azurite.connectionString())) {
            for (Entity entity : storage.table(table).query().list()) {
                stored.put(entity.partitionKey() + "/" + entity.rowKey(), entity.get("n", Long.class));
            }
        }
        return stored;
    }

    private Process start(FaultProxy proxy, String name) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                QuickStart.class.getName(),
                "--input",
                "rows.csv",
                "--partition-key",
                "{p}",
                "--row-key",
                "{r:number(8)}",
                "--types",
                "n:long",
                "--table",
                table,
                "--state",
                "state",
                "--rejected",
                "rejected.csv");
        builder.environment().put(ProgramAccount.VARIABLE, proxy.storage().connectionString());
        return builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
    }

    /** The row at which a process went on, if it did. */
    private List<Long> resumed(String name) {
        Matcher found = RESUMED.matcher(log(name));
        return found.find() ? List.of(Long.parseLong(found.group(1).replace(",", ""))) : List.of();
    }

    private String log(String name) {
        try {
            return Files.readString(folder.resolve(name + ".log"), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
