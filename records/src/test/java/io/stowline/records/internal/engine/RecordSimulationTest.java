package io.stowline.records.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordSimulationTest {

    private static final int SEEDS = Integer.getInteger("stowline.records.seeds", 300);
    private static final int FIRST = Integer.getInteger("stowline.records.seed", 0);
    private static final int STEPS = 250;

    @Test
    @DisplayName(
            "RECORD-1, RECORD-2, RECORD-3: whatever fails and whenever a process ends, all oracles of a writer hold")
    void allHolds() {
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
            RecordSimulation simulation = new RecordSimulation(seed);
            List<String> faults = simulation.run(STEPS);
            assertThat(faults)
                    .as("seed %s, whose last steps are %s", seed, tail(simulation))
                    .isEmpty();
        }
    }

    private static String tail(RecordSimulation simulation) {
        int size = simulation.trace().size();
        return simulation.trace().subList(Math.max(0, size - 60), size).toString();
    }
}
