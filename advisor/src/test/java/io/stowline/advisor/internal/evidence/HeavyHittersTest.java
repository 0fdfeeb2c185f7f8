package io.stowline.advisor.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("heavy hitters: the error is at most the stream's weight by the number of counters")
class HeavyHittersTest {

    private static final int COUNTERS = EvidencePart.PARTITIONS;
    private static final int KEYS = 1_000_000;
    private static final int ORDINARY = 2_000_000;
    private static final int SOAK = 10_000_000;

    private final SplittableRandom random = new SplittableRandom(43);

    @Test
    void onAUniformStream() {
        compare(() -> random.nextLong(KEYS) + 1, ORDINARY);
    }

    @Test
    void onAZipfStream() {
        compare(this::zipf, ORDINARY);
    }

    @Test
    @Tag("soak")
    void onUniformStreamsOfTenMillion() {
        compare(() -> random.nextLong(KEYS) + 1, SOAK);
    }

    @Test
    @Tag("soak")
    void onZipfStreamsOfTenMillion() {
        compare(this::zipf, SOAK);
    }

    @Test
    void onAStreamThatEndsWithItsHeaviestKey() {
        int[] number = {0};
        compare(() -> number[0]++ < ORDINARY / 2 ? number[0] % (KEYS - 1) + 2 : 1, ORDINARY);
    }

    /** The inverse of the distribution of 1/x, whose first of a million keys has a fourteenth of the weight. */
    private long zipf() {
        return (long) Math.exp(random.nextDouble() * Math.log(KEYS));
    }

    private static void compare(LongSupplier stream, int length) {
        long[] exact = new long[KEYS + 2];
        HeavyHitters sketch = new HeavyHitters(COUNTERS);
        for (int i = 0; i < length; i++) {
            long key = stream.getAsLong();
            exact[(int) key]++;
            sketch.add(key, 0, 1, false, 0);
        }
        long bound = length / COUNTERS;
        boolean[] counted = new boolean[KEYS + 2];

        assertThat(sketch.total()).isEqualTo(length);
        for (int i = 0; i < sketch.size(); i++) {
            long truth = exact[(int) sketch.key(i)];
            counted[(int) sketch.key(i)] = true;
            assertThat(sketch.least(i)).isLessThanOrEqualTo(truth);
            assertThat(sketch.greatest(i)).isBetween(truth, truth + bound);
        }
        for (int key = 0; key < exact.length; key++) {
            assertThat(exact[key] <= bound || counted[key])
                    .as("key %d with %d", key, exact[key])
                    .isTrue();
        }
        assertThat(Arrays.stream(exact).sum()).isEqualTo(length);
    }
}
