package io.stowline.examples.quickstart;

import static io.stowline.testkit.RequestMatch.requests;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.TestStorage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@AzuriteTest
class QuickStartTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void showsItsOptions() throws InterruptedException {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(UTF_8)).isEqualTo(Options.HELP);
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void refusesBadOptionsInOneLine() throws InterruptedException {
        assertThat(run("--limit", "none")).isEqualTo(2);
        assertThat(err.toString(UTF_8).lines())
                .containsExactly("--limit needs a whole number from 1, not none (--help lists the options)");
        assertThat(out.toString(UTF_8)).isEmpty();
    }

    @Test
    void refusesABadConnectionStringInOneLineWithoutItsKey() throws InterruptedException {
        assertThat(run("--connection-string", "AccountName=a;AccountKey=secret!"))
                .isEqualTo(2);
        assertThat(err.toString(UTF_8).lines()).hasSize(1);
        assertThat(err.toString(UTF_8)).startsWith("--connection-string: ").doesNotContain("secret");
    }

    @Test
    void loadsCitiesAndProvesIt() throws InterruptedException {
        assertThat(run("--limit", "2000")).as(() -> err.toString(UTF_8)).isZero();

        assertThat(out.toString(UTF_8))
                .contains("City data: GeoNames (geonames.org)", "Starting Azurite")
                .containsPattern("rows +2,000")
                .containsPattern("entities read back +2,000")
                .contains("Point read of ")
                .containsPattern("Prefix scan of A\\w for \"San\", three properties of each: \\d+ places")
                .containsPattern("Through the queue: Summary\\[job=quickstart\\w+, entities=2000, ")
                .contains("As the blob report.txt: ")
                .endsWith("All that was read back is the same as the source." + System.lineSeparator());
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void provesTheLoadOfAFileOverABadNetwork(@TempDir Path folder) throws Exception {
        List<String> rows = new ArrayList<>(List.of("p,r,n,at"));
        for (int i = 0; i < 1_500; i++) {
            rows.add("part" + i % 40 + "," + i + "," + i + ",2026-05-01");
        }
        Path file = Files.write(folder.resolve("rows.csv"), rows);

        assertThat(run("--input", file.toString(), "--partition-key", "{p}", "--row-key", "{r}", "--faults", "3"))
                .as(() -> err.toString(UTF_8))
                .isZero();

        assertThat(out.toString(UTF_8))
                .contains("n: long (inferred)", "at: time (inferred)")
                .containsPattern("in partitions +40\\R");
        assertThat(faults("3")).as("faults of any kind").isPositive();
    }

    @Test
    void noticesWhatIsNotReadBack(TestStorage account) throws InterruptedException {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(account).start()) {
            proxy.when(requests().method("GET").path("**quickstart**").times(1))
                    .respond(StubResponse.of(200)
                            .header("x-ms-request-id", "1")
                            .body("application/json;odata=minimalmetadata", "{\"value\":[]}"));

            assertThat(run(
                            "--limit",
                            "150",
                            "--connection-string",
                            proxy.storage().connectionString()))
                    .isEqualTo(1);
        }

        assertThat(err.toString(UTF_8))
                .containsPattern("differs: entities: \\d+, not 150")
                .containsPattern("differs: entities of A\\w: 0, not \\d+")
                .contains("differs: checksum: ");
        assertThat(quickStartTables(account)).isEmpty();
    }

    /** The number of requests with a fault, by the last line but one. */
    private long faults(String seed) {
        Matcher reported = Pattern.compile("Faults of seed " + seed
                        + " among \\d+ requests: (\\d+) responses lost, (\\d+) refused with 503, (\\d+)"
                        + " connections reset")
                .matcher(out.toString(UTF_8));
        assertThat(reported.find()).isTrue();
        return IntStream.rangeClosed(1, 3)
                .mapToLong(group -> Long.parseLong(reported.group(group)))
                .sum();
    }

    @Test
    void usesTheAccountThatItIsGivenAndRemovesItsTable(TestStorage account) throws InterruptedException {
        assertThat(run("--limit", "150", "--connection-string", account.connectionString()))
                .as(() -> err.toString(UTF_8))
                .isZero();

        assertThat(out.toString(UTF_8))
                .containsPattern("entities read back +150")
                .doesNotContain("Azurite");
        assertThat(quickStartTables(account)).isEmpty();
    }

    private static List<String> quickStartTables(TestStorage account) {
        try (Stowline storage = Stowline.connect(account.connectionString())) {
            return storage.listTables().stream()
                    .filter(name -> name.startsWith("quickstart"))
                    .toList();
        }
    }

    private int run(String... arguments) throws InterruptedException {
        return QuickStart.PROGRAM.run(
                List.of(arguments), Map.of(), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }
}
