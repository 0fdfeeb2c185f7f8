package io.stowline.advisor.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SizeHistogramTest {

    @Test
    void aQuantileIsAtMostASixteenthBelowTheTruth() {
        SplittableRandom random = new SplittableRandom(7);
        long[] values = new long[20_000];
        SizeHistogram histogram = new SizeHistogram();
        for (int i = 0; i < values.length; i++) {
            values[i] = (long) Math.exp(random.nextDouble() * 27);
            histogram.add(values[i]);
        }
        Arrays.sort(values);

        for (double share : new double[] {0.01, 0.1, 0.5, 0.9, 0.99, 1}) {
            long truth = values[(int) Math.ceil(share * values.length) - 1];
            assertThat((double) histogram.quantile(share)).isBetween(truth * 15 / 16.0, (double) truth);
        }
    }

    @Test
    void takesValuesOfAnySize() {
        SizeHistogram histogram = new SizeHistogram();
        for (long value : new long[] {-1, 0, 1, 15, 16, 1L << 40, 1L << 41, Long.MAX_VALUE}) {
            histogram.add(value);
        }

        assertThat(histogram.total()).isEqualTo(8);
        assertThat(histogram.quantile(0.1)).isZero();
        assertThat(histogram.quantile(1)).isGreaterThanOrEqualTo(1L << 40);
    }
}
