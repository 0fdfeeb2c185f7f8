package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays consumers of several shards while their number grows and shrinks. The system property {@code consumer.seeds} says how many seeds, and
 * {@code simulation.first} the first one.
 */
class ShardedSimulationTest {

    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final long SEEDS = Long.getLong("consumer.seeds", 40);
    private static final int CHUNK = 10;

    static LongStream chunks() {
        return LongStream.iterate(FIRST, seed -> seed < FIRST + SEEDS, seed -> seed + CHUNK);
    }

    @ParameterizedTest(name = "from seed {0}")
    @MethodSource("chunks")
    @DisplayName(
            "Q1 QUEUE-1 QUEUE-2 QUEUE-3 QUEUE-4 QUEUE-5: growing from 2 shards to 8 and shrinking back loses no message and shares none")
    void keepsEveryPromise(long first) {
        for (long seed = first; seed < Math.min(first + CHUNK, FIRST + SEEDS); seed++) {
            ShardedStory story;
            try {
                story = new ShardedStory(seed).play();
            } catch (RuntimeException | Error e) {
                fail("seed " + seed, e);
                return;
            }
            assertThat(story.messages()).isGreaterThan(100);
            if (!story.violations().isEmpty()) {
                fail("seed " + seed + "\n" + String.join("\n", story.violations()) + "\nThe last of it:\n"
                        + story.tail());
            }
        }
    }

    @Test
    void oneSeedIsOneStory() {
        ShardedStory first = new ShardedStory(5).play();
        ShardedStory second = new ShardedStory(5).play();

        assertThat(first.handlings()).isPositive().isEqualTo(second.handlings());
        assertThat(first.tail()).isEqualTo(second.tail());
    }
}
