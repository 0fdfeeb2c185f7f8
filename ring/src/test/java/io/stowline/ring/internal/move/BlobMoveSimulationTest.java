package io.stowline.ring.internal.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.stowline.ring.internal.move.BlobSimulation.BlobBreak;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The blobs of a ring that changes, in virtual time: lost and late requests, killed movers, and processes with the ring before and after. */
class BlobMoveSimulationTest {

    private static final int SEEDS = Integer.getInteger("ring.seeds", 300);
    private static final long FIRST = Long.getLong("ring.first", 0);

    @Test
    @DisplayName("RING-9: no blob is lost, comes back or shows old content, whatever fails")
    void noBlobIsLostOrComesBackWhateverFails() {
        int moves = 0;
        int reads = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            BlobSimulation simulation = new BlobSimulation(seed, BlobBreak.NONE);
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
    @DisplayName("RING-9: the oracles notice each part of the protocol that is left out")
    void theOraclesNoticeEachPartThatIsLeftOut(BlobBreak broken) {
        for (long seed = 0; seed < 2_000; seed++) {
            try {
                new BlobSimulation(seed, broken).run();
            } catch (AssertionError e) {
                return;
            }
        }
        fail("nothing was noticed without " + broken);
    }
}
