package io.stowline.examples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.quickstart.screen.PlainLines;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@AzuriteTest
class MainJobTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Atlas atlas = Cities.atlas(Map.of("AA", 250, "BB", 1, "CC", 100));
    private Stowline storage;
    private List<String> tablesBefore;

    @BeforeEach
    void connect(TestStorage account) {
        storage = Stowline.connect(account.connectionString());
        tablesBefore = quickStartTables();
    }

    @AfterEach
    void leavesNoTable() {
        assertThat(quickStartTables()).isEqualTo(tablesBefore);
        storage.close();
    }

    @Test
    void findsNoDifferenceAndPacksPerfectly() throws InterruptedException {
        assertThat(run()).isEmpty();
        assertThat(printed())
                .containsPattern("entities +351\n")
                .containsPattern("write requests +5\n")
                .containsPattern("  retries +0\n");
    }

    @Test
    void tellsWhatIsMissing() throws InterruptedException {
        atlas.tally().add(Cities.number("CC", 100));

        assertThat(run())
                .hasSize(3)
                .contains("entities: 351, not 352", "entities of CC: 100, not 101")
                .anyMatch(difference -> difference.startsWith("checksum: "));
    }

    @Test
    void tellsWhenTwoCitiesHaveOneKey() throws InterruptedException {
        atlas.add(Cities.number("CC", 0));

        assertThat(run()).contains("entities: 351, not 352", "entities of CC: 100, not 101");
    }

    private List<String> run() throws InterruptedException {
        PrintStream out = new PrintStream(bytes, true, UTF_8);
        return new MainJob(atlas, out, new PlainLines(out), System::nanoTime).run(storage);
    }

    private List<String> quickStartTables() {
        return storage.listTables().stream()
                .filter(name -> name.startsWith("quickstart"))
                .toList();
    }

    private String printed() {
        return bytes.toString(UTF_8).replace(System.lineSeparator(), "\n");
    }
}
