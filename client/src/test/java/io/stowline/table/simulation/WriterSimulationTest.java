package io.stowline.table.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plays writers and transactions against a service that keeps all its rules, over a network that keeps none: one seed after the other,
 * from 1 on, as many as the system property {@code simulation.seeds} says. {@code simulation.first} begins elsewhere, and
 * {@code simulation.trace} prints what happens.
 */
class WriterSimulationTest {

    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final long SEEDS = Long.getLong("simulation.seeds", 100);
    private static final int CHUNK = 50;

    static LongStream chunks() {
        return LongStream.iterate(FIRST, seed -> seed < FIRST + SEEDS, seed -> seed + CHUNK);
    }

    @ParameterizedTest(name = "from seed {0}")
    @MethodSource("chunks")
    @DisplayName(
            "OUTCOME-0 OUTCOME-3 OUTCOME-8 OUTCOME-9 BATCH-1 BATCH-2 BATCH-3 BATCH-4 BATCH-5 BATCH-6 BATCH-7 BATCH-8 BATCH-9 BATCH-10 BATCH-12 PERMIT-4: random work over a bad network keeps every promise")
    void keepsEveryPromise(long first) {
        for (long seed = first; seed < Math.min(first + CHUNK, FIRST + SEEDS); seed++) {
            play(seed);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 33, 144})
    void oneSeedIsOneStory(long seed) {
        assertThat(play(seed).trace.hash()).isEqualTo(play(seed).trace.hash());
    }

    private static Play play(long seed) {
        Play play;
        try {
            play = new Play(seed).run();
        } catch (RuntimeException | Error e) {
            return fail("seed " + seed, e);
        }
        if (!play.trace.violations().isEmpty()) {
            fail("seed " + seed + ", " + play.scenario + "\n" + String.join("\n", play.trace.violations())
                    + "\nThe last of it:\n" + play.trace.tail());
        }
        return play;
    }
}
