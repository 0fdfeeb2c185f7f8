package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays consumers against a queue that keeps the service's rules, over a network that keeps none. The system property {@code
 * consumer.seeds} says how many seeds, and {@code simulation.first} the first one.
 */
class ConsumerSimulationTest {

    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final long SEEDS = Long.getLong("consumer.seeds", 40);
    private static final int CHUNK = 10;

    static LongStream chunks() {
        return LongStream.iterate(FIRST, seed -> seed < FIRST + SEEDS, seed -> seed + CHUNK);
    }

    @ParameterizedTest(name = "from seed {0}")
    @MethodSource("chunks")
    @DisplayName(
            "QUEUE-1 QUEUE-2 QUEUE-3 QUEUE-4 QUEUE-5 OUTCOME-7: processes that crash, stall and restart lose no message and share none")
    void keepsEveryPromise(long first) {
        for (long seed = first; seed < Math.min(first + CHUNK, FIRST + SEEDS); seed++) {
            ConsumerStory story;
            try {
                story = new ConsumerStory(seed).play();
            } catch (RuntimeException | Error e) {
                fail("seed " + seed, e);
                return;
            }
            if (!story.violations().isEmpty()) {
                fail("seed " + seed + "\n" + String.join("\n", story.violations()) + "\nThe last of it:\n"
                        + story.tail());
            }
        }
    }

    @Test
    void oneSeedIsOneStory() {
        ConsumerStory first = new ConsumerStory(5).play();
        ConsumerStory second = new ConsumerStory(5).play();

        assertThat(first.handlings()).isPositive().isEqualTo(second.handlings());
        assertThat(first.tail()).isEqualTo(second.tail());
    }
}
