package io.stowline.table.simulation;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays a writer with a real journal whose process dies and starts again at any point. A seed takes some hundredths of a second, so that of more than
 * 100 seeds of {@link WriterSimulationTest} a third is played, and at least 100.
 */
class RestartSimulationTest {

    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final long SEEDS = ofWriters(Long.getLong("simulation.seeds", 100));
    private static final int CHUNK = 50;

    @TempDir
    Path folder;

    private static long ofWriters(long seeds) {
        return Math.max(seeds / 3, Math.min(seeds, 100));
    }

    static LongStream chunks() {
        return LongStream.iterate(FIRST, seed -> seed < FIRST + SEEDS, seed -> seed + CHUNK);
    }

    @ParameterizedTest(name = "from seed {0}")
    @MethodSource("chunks")
    @DisplayName(
            "BATCH-15 BATCH-1 BATCH-4 BATCH-7 BATCH-10 OUTCOME-3: a process that dies at any point loses nothing, and the next one writes it once and in order")
    void losesNothing(long first) throws IOException {
        for (long seed = first; seed < Math.min(first + CHUNK, FIRST + SEEDS); seed++) {
            play(seed);
        }
    }

    private void play(long seed) throws IOException {
        Restarts play;
        try {
            play = new Restarts(seed, Files.createDirectory(folder.resolve("seed" + seed))).run();
        } catch (RuntimeException | Error e) {
            fail("seed " + seed, e);
            return;
        }
        if (!play.trace.violations().isEmpty()) {
            fail("seed " + seed + ", " + play.scenario + "\n" + String.join("\n", play.trace.violations())
                    + "\nThe last of it:\n" + play.trace.tail());
        }
    }
}
