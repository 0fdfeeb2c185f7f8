package io.stowline.examples.activities;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@AzuriteTest
@Timeout(120)
class ActivitiesTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    @Test
    void noActivityIsLostAlthoughTheProducerKillsItself(Azurite azurite) throws InterruptedException {
        Path chart = folder.resolve("rates.svg");

        int code = run(azurite, "--records", "20000", "--chart", chart.toString());

        assertThat(code).as(() -> shown() + err.toString(UTF_8)).isZero();
        assertThat(shown())
                .contains("The first process has killed itself: 10,000 activities accepted, ")
                .containsPattern("activities accepted +20,000\n")
                .containsPattern("activities read back +20,000\n")
                .containsPattern("  lost +0\n")
                .containsPattern("  twice +0\n")
                .containsPattern("  changed or out of order +0\n")
                .containsPattern("requests +\\d\\d?\n")
                .contains(" killed\n")
                .doesNotContain("AccountKey");
        assertThat(chart).content(UTF_8).startsWith("<svg").contains(">killed</text>");
        try (Stowline storage = Stowline.connect(azurite.connectionString())) {
            assertThat(storage.listContainers()).noneMatch(name -> name.startsWith("activities"));
        }
    }

    @Test
    void showsItsOptions(Azurite azurite) throws InterruptedException {
        assertThat(run(azurite, "--help")).isZero();
        assertThat(shown()).isEqualTo(Activities.HELP);
    }

    private int run(Azurite azurite, String... arguments) throws InterruptedException {
        return Activities.PROGRAM.run(
                List.of(arguments),
                Map.of(ProgramAccount.VARIABLE, azurite.connectionString()),
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8));
    }

    private String shown() {
        return out.toString(UTF_8).replace("\r\n", "\n");
    }
}
