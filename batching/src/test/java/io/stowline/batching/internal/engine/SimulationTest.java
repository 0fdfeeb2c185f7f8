package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plays random work with 100 seeds, and with ten times as many where the system property {@code stowline.explore} is 10. */
class SimulationTest {

    /** Seeds from each first seed on. */
    private static final int SEEDS = 25 * Integer.getInteger("stowline.explore", 1);

    @ParameterizedTest
    @ValueSource(longs = {1, 1_001, 2_001, 3_001})
    @DisplayName(
            "OUTCOME-0 BATCH-1 BATCH-3 BATCH-4 BATCH-6 BATCH-7 BATCH-8 BATCH-9 BATCH-10 PERMIT-4: random work against"
                    + " a random sender keeps every promise")
    void keepsEveryPromise(long firstSeed) {
        for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
            run(seed);
        }
    }

    private static void run(long seed) {
        Simulation simulation = new Simulation(seed);
        try {
            simulation.play(400);
            simulation.finish();
            assertThat(simulation.violations()).isEmpty();
        } catch (Throwable error) {
            throw new AssertionError("seed " + seed, error);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9})
    @DisplayName("BATCH-9: a sender that never answers keeps no close waiting")
    void closesAgainstASilentSender(long seed) {
        Simulation simulation = new Simulation(seed).silent();
        simulation.play(200);
        simulation.closeAll();
        simulation.pass(Duration.ofMinutes(5));
        assertThat(simulation.openItems()).isZero();
        assertThat(simulation.openBarriers()).isZero();
        assertThat(simulation.violations()).isEmpty();
    }
}
