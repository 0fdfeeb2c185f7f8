package io.stowline.ring.internal.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.stowline.ring.internal.move.SimulatedService.Break;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The change of a ring in virtual time: lost and late requests, killed movers, and processes with the ring before and after. */
class RingMoveSimulationTest {

    private static final int SEEDS = Integer.getInteger("ring.seeds", 300);
    private static final long FIRST = Long.getLong("ring.first", 0);

    @Test
    @DisplayName("RING-6, RING-7, RING-8: nothing is lost and nothing is read twice, whatever fails")
    void nothingIsLostAndNothingIsReadTwiceWhateverFails() {
        int moves = 0;
        int reads = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            RingSimulation simulation = new RingSimulation(seed, Break.NONE);
            try {
                simulation.run();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
            moves += simulation.moves();
            reads += simulation.reads();
        }
        assertThat(moves).isGreaterThan(SEEDS);
        assertThat(reads).isGreaterThan(10 * SEEDS);
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    @DisplayName("RING-6: the oracles notice each part of the protocol that is left out")
    void theOraclesNoticeEachPartThatIsLeftOut(Break broken) {
        for (long seed = 0; seed < 2000; seed++) {
            try {
                new RingSimulation(seed, broken).run();
            } catch (AssertionError e) {
                return;
            }
        }
        fail("nothing was noticed without " + broken);
    }
}
