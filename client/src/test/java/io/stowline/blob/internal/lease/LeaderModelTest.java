package io.stowline.blob.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Plays elections with seeds. */
class LeaderModelTest {

    @Property(tries = 40)
    @Label("LEASE-1 LEASE-2: no two processes lead, no write of an earlier term passes, and a release lets the next"
            + " lead")
    void keepsEveryPromise(@ForAll long seed) {
        LeaderStory story = new LeaderStory(seed).play();

        assertThat(story.violations()).as("seed %d\n%s", seed, story.tail()).isEmpty();
    }

    @Test
    @DisplayName("LEASE-1, LEASE-2: a leader whose machine has slept for its lease learns it before it acts, though its"
            + " timer has not run")
    void learnsOfASleep() {
        assertThat(new LeaderStory(1).leadsAfterASleep()).isFalse();
    }

    @Test
    @DisplayName("LEASE-2: the stories reach the fence: the store refuses writes of earlier terms")
    void reachesTheFence() {
        long refused = LongStream.range(0, 8)
                .map(seed -> new LeaderStory(seed).play().refused())
                .sum();

        assertThat(refused).isPositive();
    }
}
