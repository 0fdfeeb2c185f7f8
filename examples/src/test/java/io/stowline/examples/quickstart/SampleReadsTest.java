package io.stowline.examples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@AzuriteTest
class SampleReadsTest {

    private static final City TOKYO = City.of("JP", "Tokyo", "35.6895", "139.69171", "40", "");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long now;
    private Stowline storage;
    private ScratchTable<City> scratch;

    @BeforeEach
    void create(TestStorage account) {
        storage = Stowline.connect(account.connectionString());
        scratch = ScratchTable.create(storage, "quickstart", City.class);
    }

    @AfterEach
    void remove() {
        scratch.close();
        storage.close();
    }

    @Test
    void showsWhatItReadAndHowLongItTook() {
        store(TOKYO, saint("San Jose"), saint("Santa Ana"), saint("San #1/2"));

        assertThat(read(new CitySample(TOKYO, "US", "San ", 2))).isEmpty();
        assertThat(printed())
                .containsExactly(
                        "Point read of Tokyo, JP: 2.5 ms",
                        "  " + TOKYO,
                        "Prefix scan of US for \"San \", three properties of each: 2 places in 2.5 ms",
                        "  San #1/2                       29.42412   -98.49363",
                        "  San Jose                       29.42412   -98.49363");
    }

    @Test
    void escapesThePrefixAsTheKeyDoes() {
        store(TOKYO, saint("San #1/2"), saint("San #1"), saint("San 1"));

        assertThat(read(new CitySample(TOKYO, "US", "San #1/", 1))).isEmpty();
    }

    @Test
    void showsNoMoreThanFiveOfMany() {
        store(TOKYO);
        IntStream.range(0, 7).forEach(i -> store(saint("San " + i)));

        assertThat(read(new CitySample(TOKYO, "US", "San ", 7))).isEmpty();
        assertThat(printed()).hasSize(3 + 5 + 1).endsWith("  and 2 more");
    }

    @Test
    void tellsThatACityIsMissing() {
        assertThat(read(new CitySample(TOKYO, "US", "San ", 0)))
                .containsExactly("point read: Optional.empty, not " + TOKYO);
        assertThat(printed()).contains("  not found");
    }

    @Test
    void tellsThatACityIsNotTheSame() {
        store(new City("JP", TOKYO.key(), "Tokyo", 35.6895, 139.69171, "40", "changed"));

        assertThat(read(new CitySample(TOKYO, "US", "San ", 0)))
                .hasSize(1)
                .allMatch(difference -> difference.contains("admin2=changed"));
    }

    @Test
    void tellsThatAPrefixHasOtherMatches() {
        store(TOKYO, saint("San Jose"));

        assertThat(read(new CitySample(TOKYO, "US", "San ", 2))).containsExactly("prefix scan: 1 places, not 2");
    }

    private static City saint(String name) {
        return City.of("US", name, "29.42412", "-98.49363", "TX", "029");
    }

    private void store(City... cities) {
        List.of(cities).forEach(scratch.table()::insert);
    }

    private List<String> read(CitySample sample) {
        return new SampleReads(scratch.table(), new PrintStream(bytes, true, UTF_8), () -> now += 2_500_000).of(sample);
    }

    private List<String> printed() {
        return bytes.toString(UTF_8).lines().toList();
    }
}
