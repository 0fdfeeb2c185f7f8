package io.stowline.examples.stress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.stress.StressLimit;
import io.stowline.testkit.stress.StressReport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@AzuriteTest
@Timeout(300)
class PartitionStressTest {

    private static final double PARTITION = 20;
    private static final double ACCOUNT = 45;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void removesItsTableWhenItIsStopped(Azurite azurite) {
        List<String> before = tables(azurite.connectionString());
        List<List<String>> seen = new ArrayList<>();
        StressRun run = new StressRun(
                settings -> settings.apply(Stowline.builder())
                        .connectionString(azurite.connectionString())
                        .build(),
                PartitionStress.targets(PARTITION, ACCOUNT),
                new StressOptions(1, 1, 1, 0, folder.resolve("chart.svg"), null),
                () -> seen.add(tables(azurite.connectionString())),
                new PrintStream(out, true, UTF_8));

        assertThatExceptionOfType(JobFailedException.class).isThrownBy(run::run).withMessageContaining("stopped");
        assertThat(seen.get(0)).hasSize(before.size() + 1);
        assertThat(tables(azurite.connectionString())).isEqualTo(before);
    }

    @Test
    @DisplayName("T19: the ramp finds the limits of a partition and of the account")
    void findsTheLimitsThatItIsGiven(Azurite azurite) throws InterruptedException {
        StressFindings findings;
        try (FaultProxy proxy = PartitionStress.throttling(azurite, PARTITION, ACCOUNT)) {
            findings = new StressRun(
                            PartitionStress.connection(proxy),
                            PartitionStress.targets(PARTITION, ACCOUNT),
                            new StressOptions(4, 1, 1, 50, folder.resolve("chart.svg"), null),
                            () -> false,
                            new PrintStream(out, true, UTF_8))
                    .run();
        }

        StressReport report = findings.report();
        assertThat(report.partitionLimit().cause()).as(report.table()::toString).isEqualTo(StressLimit.Cause.SERVICE);
        assertThat(report.partitionLimit().rate()).isBetween(0.5 * PARTITION, 1.5 * PARTITION);
        assertThat(report.accountLimit()).isPresent();
        assertThat(report.accountLimit().orElseThrow().accepted()).isBetween(0.5 * ACCOUNT, 1.5 * ACCOUNT);
        assertThat(report.failures()).isZero();
        assertThat(report.steps()).anyMatch(step -> step.gets() > 0 && step.puts() > 0);
        // A load of 1.5 times the limit without rate targets is refused by a third.
        assertThat(findings.paced()).isNotNull().satisfies(paced -> assertThat(paced.throttled())
                .isLessThan(paced.offered() / 4));
        assertThat(tables(azurite.connectionString())).isEmpty();
    }

    @Test
    void writesATableAChartAndAVerdict() throws Exception {
        Path chart = folder.resolve("chart.svg");

        assertThat(run(Map.of(), "--partitions", "1", "--reads", "0", "--seconds", "1", "--out", chart.toString()))
                .as(() -> err.toString(UTF_8))
                .isZero();

        assertThat(out.toString(UTF_8))
                .contains("The emulator is throttled above 40 entities/s for a partition and 200/s for the account")
                .contains(
                        "partitions  offered/s",
                        "One partition t",
                        "At its best it took 0 entities/s by GET",
                        "# PUT, = GET")
                .contains("Chart: " + chart)
                .doesNotContain("AccountKey");
        assertThat(Files.readString(chart)).startsWith("<svg ").endsWith("</svg>\n");
    }

    @ParameterizedTest
    @CsvSource({
        "--seconds, 0, '--seconds needs a number from 1 to 600, not 0'",
        "--out, ., '--out needs a file in a folder that can be written, not .'",
        "--seconds, 601, '--seconds needs a number from 1 to 600, not 601'",
        "--partitions, 65, '--partitions needs a number from 1 to 64, not 65'",
        "--entities, 101, '--entities needs a number from 1 to 100, not 101'",
        "--reads, 100, '--reads needs a number from 0 to 99, not 100'",
        "--fast, '', unknown option --fast",
        "--connection-string, AccountKey=secret, '--connection-string: '",
    })
    void refusesWrongOptionsInOneLine(String option, String value, String message) throws InterruptedException {
        assertThat(run(Map.of(), option, value)).isEqualTo(2);

        assertThat(err.toString(UTF_8).lines()).singleElement().asString().startsWith(message);
        assertThat(err.toString(UTF_8)).doesNotContain("secret");
    }

    @Test
    void showsItsOptions() throws InterruptedException {
        assertThat(run(Map.of(), "--help")).isZero();
        assertThat(out.toString(UTF_8)).isEqualTo(StressOptions.HELP);
    }

    @Test
    void readsItsOptions() {
        StressOptions options =
                PartitionStress.PROGRAM.options(List.of("--partitions", "10", "--entities", "5"), Map.of("OTHER", "x"));

        assertThat(options)
                .isEqualTo(new StressOptions(10, 2, 5, 50, Path.of("partition-stress.svg"), null))
                .hasToString("StressOptions[partitions=10, seconds=2, entities=5, reads=50,"
                        + " out=partition-stress.svg, own Azurite]");
        assertThat(PartitionStress.PROGRAM.options(List.of(), Map.of(ProgramAccount.VARIABLE, "AccountKey=secret")))
                .asString()
                .doesNotContain("secret");
    }

    private static List<String> tables(String connectionString) {
        try (Stowline storage = Stowline.connect(connectionString)) {
            return storage.listTables().stream()
                    .filter(name -> name.startsWith("stress"))
                    .toList();
        }
    }

    private int run(Map<String, String> environment, String... arguments) throws InterruptedException {
        return PartitionStress.PROGRAM.run(
                List.of(arguments), environment, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }
}
