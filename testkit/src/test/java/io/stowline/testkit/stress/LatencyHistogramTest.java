package io.stowline.testkit.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {

    @Property
    @Label("a percentile differs from the exact one by a bucket's width")
    void isCloseToTheExactPercentile(
            @ForAll @NotEmpty List<@LongRange(min = 0, max = Long.MAX_VALUE) Long> nanos,
            @ForAll @DoubleRange(min = 0, max = 1) double part) {
        LatencyHistogram histogram = new LatencyHistogram();
        nanos.forEach(histogram::add);
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        double exact = sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)] / 1e6;

        assertThat(histogram.millis(part))
                .isCloseTo(exact, within(exact / 64 + 1e-9))
                .isLessThanOrEqualTo(exact);
    }

    @Test
    void addsUp() {
        LatencyHistogram one = new LatencyHistogram();
        LatencyHistogram other = new LatencyHistogram();
        assertThat(one.millis(0.5)).isZero();
        Arrays.asList(1, 2, 3).forEach(ms -> one.add(ms * 1_000_000L));
        other.add(100_000_000);
        other.addAll(one);

        assertThat(other.millis(0.75)).isCloseTo(3, within(0.05));
        assertThat(other.millis(1)).isCloseTo(100, within(1.6));
    }
}
