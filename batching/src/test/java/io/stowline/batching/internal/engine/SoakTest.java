package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

class SoakTest {

    /** A fifth of what 40,000 items of 600 bytes take, were they kept: each sample is taken with nothing in flight. */
    private static final long HEAP_TOLERANCE = 5L << 20;

    private static final int THREADS_TOLERANCE = 2;

    private static void isFlat(List<Soak.Sample> samples) {
        Soak.Sample first = samples.get(0);
        assertThat(samples).allSatisfy(sample -> {
            assertThat(sample.heapBytes()).isLessThan(first.heapBytes() + HEAP_TOLERANCE);
            assertThat(sample.threads()).isLessThanOrEqualTo(first.threads() + THREADS_TOLERANCE);
            assertThat(sample.lanes())
                    .isLessThanOrEqualTo(TestSettings.defaults().bufferItems());
        });
    }

    @Test
    @DisplayName("BATCH-6 BATCH-1: items over ten thousands of partitions leave no lane, no heap and no thread behind")
    void isFlat() throws InterruptedException {
        Soak soak = new Soak();
        soak.run(200_000, 50_000, 40_000);
        assertThat(soak.samples()).hasSize(5);
        isFlat(soak.samples());
    }

    @Test
    @Tag("soak")
    @DisplayName(
            "BATCH-6 BATCH-1: ten million items over a million partitions leave no lane, no heap and no thread behind")
    void isFlatForLong(TestReporter reporter) throws InterruptedException {
        Soak soak = new Soak();
        soak.run(10_000_000, 1_000_000, 1_000_000);
        soak.samples().forEach(sample -> reporter.publishEntry(sample.toString()));
        assertThat(soak.samples()).hasSize(10);
        isFlat(soak.samples());
    }
}
