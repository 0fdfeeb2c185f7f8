package io.stowline.examples.lookup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@AzuriteTest
@Timeout(180)
class LookupTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    @DisplayName("A8: many reads take few requests, and none is older than allowed")
    void countsWhatGoesOverTheWire() throws InterruptedException {
        assertThat(run("--seconds", "1")).as(() -> err.toString(UTF_8)).isZero();

        assertThat(first("reads")).isGreaterThan(first("requests made")).isPositive();
        assertThat(first("KiB received")).isPositive();
        assertThat(first("MISS")).isPositive();
        assertThat(out.toString(UTF_8)).endsWith("No read was older than allowed." + System.lineSeparator());
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void usesTheAccountThatItIsGiven(TestStorage account) throws InterruptedException {
        assertThat(run("--seconds", "1", "--connection-string", account.connectionString()))
                .as(() -> err.toString(UTF_8))
                .isZero();

        assertThat(out.toString(UTF_8)).contains("requests made").doesNotContain("KiB", "Azurite");
    }

    @Test
    void showsItsOptions() throws InterruptedException {
        assertThat(run("--help")).isZero();

        assertThat(out.toString(UTF_8)).contains("--seconds N", "10 unless given");
    }

    /** What a line of the table says of the settings. */
    private long first(String label) {
        Matcher line = Pattern.compile("(?m)^" + label + " +([\\d,]+) ").matcher(out.toString(UTF_8));
        assertThat(line.find()).as(label).isTrue();
        return Long.parseLong(line.group(1).replace(",", ""));
    }

    private int run(String... arguments) throws InterruptedException {
        return Lookup.PROGRAM.run(
                List.of(arguments), Map.of(), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }
}
