package io.stowline.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random conditions over random entities: the rows that the service filters are those that Spark filters itself. */
class PushDownFuzzTest {

    private static final int CONDITIONS = 60;

    private final SparkBench bench = new SparkBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("with a given schema, conditions on all columns are pushed")
    void ofAGivenSchema(long seed) {
        Random random = new Random(seed);
        bench.filled("fuzz", PushDownFuzz.entities(random, false));

        PushDownFuzz.compare(
                random,
                CONDITIONS,
                bench.read("fuzz")
                        .schema(PushDownFuzz.GIVEN)
                        .option("guidColumns", "g")
                        .option("splits", "a\u00e9,\ud7ff")
                        .load());

        assertThat(bench.queries("fuzz")).anyMatch(query -> query.contains(" d l") || query.contains("i ge"));
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5})
    @DisplayName("with a sampled schema, properties may have other types in other entities")
    void ofASampledSchema(long seed) {
        Random random = new Random(seed);
        bench.filled("fuzz", PushDownFuzz.entities(random, true));

        PushDownFuzz.compare(
                random,
                CONDITIONS,
                bench.read("fuzz")
                        .option("schemaConflicts", "widen")
                        .option("partitions", "3")
                        .load());
    }
}
