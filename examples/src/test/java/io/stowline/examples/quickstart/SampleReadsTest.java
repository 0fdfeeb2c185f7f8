package io.stowline.examples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.table.Entity;
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

    private static final Entity TOKYO = city("JP", "Tokyo", 35.6895);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long now;
    private final SampleReads reads = new SampleReads(new PrintStream(bytes, true, UTF_8), () -> now += 2_500_000);
    private Stowline storage;
    private ScratchTable<Entity> scratch;

    @BeforeEach
    void create(TestStorage account) {
        storage = Stowline.connect(account.connectionString());
        scratch = ScratchTable.create(storage, "quickstart", Entity.class);
    }

    @AfterEach
    void remove() {
        scratch.close();
        storage.close();
    }

    @Test
    void showsWhatItReadAndHowLongItTook() {
        store(
                city("US", "Bern", 1),
                TOKYO,
                city("US", "San Jose", 2),
                city("US", "Big San", 3),
                city("MX", "Santa", 4));
        store(city("US", "Santa Ana", 5));

        assertThat(read()).isEmpty();
        assertThat(printed())
                .containsExactly(
                        "Point read of Tokyo, JP: 2.5 ms",
                        "  City[country=JP, key=Tokyo!35.6895, name=Tokyo, lat=35.6895, lng=-98.5]",
                        "Prefix scan of US for \"San\", three properties of each: 2 places in 2.5 ms",
                        "  San Jose                        2.00000   -98.50000",
                        "  Santa Ana                       5.00000   -98.50000");
    }

    @Test
    void showsNoMoreThanFiveOfMany() {
        IntStream.range(0, 7).forEach(i -> store(city("US", "San " + i, 1)));

        assertThat(read()).isEmpty();
        assertThat(printed()).hasSize(3 + 5 + 1).endsWith("  and 2 more");
    }

    @Test
    void namesTheCityThatIsMissing() {
        reads.see(TOKYO);

        assertThat(read()).singleElement().asString().startsWith("point read: Optional.empty, not City[country=JP");
        assertThat(printed()).contains("  not found");
    }

    @Test
    void namesWhatIsNotTheSame() {
        store(TOKYO, city("US", "San Jose", 2));
        scratch.table()
                .merge(TOKYO.partitionKey(), TOKYO.rowKey())
                .set("name", "Tōkyō")
                .update();
        reads.see(city("US", "San Marino", 3));

        assertThat(read()).hasSize(2).last().isEqualTo("prefix scan: 1 places, not 2");
    }

    private static Entity city(String country, String name, double lat) {
        return Entity.builder(country, name.replace(" ", ".20") + "!" + lat)
                .set("name", name)
                .set("lat", lat)
                .set("lng", -98.5)
                .build();
    }

    private void store(Entity... cities) {
        for (Entity city : cities) {
            scratch.table().insert(city);
            reads.see(city);
        }
    }

    private List<String> read() {
        return reads.of(storage.table(scratch.table().name(), City.class));
    }

    private List<String> printed() {
        return bytes.toString(UTF_8).lines().toList();
    }
}
