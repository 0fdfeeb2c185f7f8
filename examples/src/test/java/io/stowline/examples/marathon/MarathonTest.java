package io.stowline.examples.marathon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@AzuriteTest
@Timeout(180)
class MarathonTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    @DisplayName("T11, T7, T14: every question is answered right and costs what its class says")
    void answersEveryQuestion(TestStorage account) throws InterruptedException {
        assertThat(run("--runners", "50", "--connection-string", account.connectionString()))
                .as(() -> err.toString(UTF_8))
                .isZero();

        assertThat(printed())
                .contains("Registered 200 runners in 4 races, each with two index rows, by 200 transactions\n")
                .containsPattern(
                        "bib 42 in 2011 New York City Marathon__Full\\?\n  point: 1 found by 1 request\n    00042 ")
                .containsPattern("youngest first\\?\n  row-range: \\d+ found by 1 request\n")
                .containsPattern("from Kenya there\\?\n  partition: \\d+ found by 1 request\n")
                .containsPattern(
                        "any race of 2011 New York City Marathon\\?\n  partition-range: \\d+ found by 1 request\n")
                .containsPattern("beside each other\\?\n  partition: \\d+ found by 4 requests\n")
                .containsPattern("looked at\\)\n  table-scan: \\d+ found by 1 request\n")
                .contains("  table-scan: 0 requests\n")
                .contains("Finishers of ")
                .containsPattern("Compared 199 runners with their index rows by [\\d,]+ requests: no differences\n")
                .endsWith("Every answer was right.\n");
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void showsItsOptions() throws InterruptedException {
        assertThat(run("--help")).isZero();

        assertThat(printed()).contains("--runners N", "--connection-string S", "--help");
    }

    @Test
    void needsRunnersToAskFor() throws InterruptedException {
        assertThat(run("--runners", "49")).isEqualTo(2);

        assertThat(err.toString(UTF_8)).startsWith("--runners needs a number from 50 to ");
    }

    private String printed() {
        return out.toString(UTF_8).replace(System.lineSeparator(), "\n");
    }

    private int run(String... arguments) throws InterruptedException {
        return Marathon.PROGRAM.run(
                List.of(arguments), Map.of(), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }
}
