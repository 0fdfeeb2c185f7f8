package io.stowline.examples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                .containsExactly("--limit needs a whole number of at least 1, not none (--help lists the options)");
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
    void storesCitiesAndProvesIt() throws InterruptedException {
        assertThat(run("--limit", "3000")).as(() -> err.toString(UTF_8)).isZero();

        assertThat(out.toString(UTF_8))
                .contains(CityFile.CREDIT)
                .contains("Read 3,000 cities of ")
                .containsPattern("entities +3,000")
                .contains("100%")
                .contains("Point read of ")
                .contains("Prefix scan of ")
                .endsWith("All that was read back is the same as the source." + System.lineSeparator());
        assertThat(out.toString(UTF_8))
                .containsPattern("Through the queue: Summary\\[job=quickstart\\w+, entities=3000, ")
                .contains("As the blob report.txt: ");
        assertThat(figure("write requests")).isEqualTo(figure("  with perfect packing"));
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "3"})
    void storesTheSameOverABadNetwork(String seed) throws IOException, InterruptedException {
        CityTally source = CityFile.read(CityFile.install(), 6_000).tally();

        assertThat(run("--limit", "6000", "--faults", seed))
                .as(() -> err.toString(UTF_8))
                .isZero();

        assertThat(figure("entities")).isEqualTo("6,000");
        assertThat(figure("checksum")).isEqualTo(HexFormat.of().toHexDigits(source.checksum()));
        assertThat(faults(seed)).as("faults of any kind").isPositive();
    }

    /** How many requests met one, of those that the last line but one tells of. */
    private long faults(String seed) {
        Matcher told = Pattern.compile("Faults of seed " + seed
                        + " among \\d+ requests: (\\d+) answers lost, (\\d+) refused with 503, (\\d+)"
                        + " connections reset")
                .matcher(out.toString(UTF_8));
        assertThat(told.find()).isTrue();
        return IntStream.rangeClosed(1, 3)
                .mapToLong(group -> Long.parseLong(told.group(group)))
                .sum();
    }

    @Test
    void usesTheAccountThatItIsGiven(TestStorage account) throws InterruptedException {
        assertThat(run("--limit", "150", "--connection-string", account.connectionString()))
                .as(() -> err.toString(UTF_8))
                .isZero();

        assertThat(out.toString(UTF_8)).containsPattern("entities +150").doesNotContain("Azurite");
    }

    private String figure(String label) {
        return out.toString(UTF_8)
                .lines()
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()).strip())
                .findFirst()
                .orElseThrow();
    }

    private int run(String... arguments) throws InterruptedException {
        return QuickStart.PROGRAM.run(
                List.of(arguments), Map.of(), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }
}
