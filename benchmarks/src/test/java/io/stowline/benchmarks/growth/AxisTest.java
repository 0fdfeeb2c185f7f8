package io.stowline.benchmarks.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxisTest {

    @Test
    void growsByFactorsOverTheSizes() {
        Axis axis = Axis.over(List.of(1.0, 2.0, 4.0, 8.0, 16.0));

        assertThat(axis.ticks()).containsExactly(1.0, 2.0, 4.0, 8.0, 16.0);
        assertThat(axis.share(1)).isZero();
        assertThat(axis.share(4)).isCloseTo(0.5, within(1e-9));
        assertThat(axis.share(16)).isEqualTo(1);
    }

    @Test
    void hasTicksWhereLabelsHaveRoom() {
        assertThat(Axis.over(List.of(1.0, 4.0, 16.0, 64.0, 128.0, 256.0, 1_000.0))
                        .ticks())
                .containsExactly(1.0, 4.0, 16.0, 64.0, 256.0, 1_000.0);
    }

    @Test
    void growsByFactorsOfTen() {
        Axis axis = Axis.byFactors(0.3, 17);

        assertThat(axis.ticks()).containsExactly(0.1, 1.0, 10.0, 100.0);
        assertThat(axis.share(1)).isCloseTo(1 / 3.0, within(1e-9));
    }

    @Property
    void beginsAtZeroAndHasRoomForTheMost(@ForAll @DoubleRange(min = 0.01, max = 1e9) double max) {
        Axis axis = Axis.fromZero(max);

        assertThat(axis.share(0)).isZero();
        assertThat(axis.to()).isGreaterThanOrEqualTo(max * (1 - 1e-6)).isLessThanOrEqualTo(2 * max);
        assertThat(axis.ticks()).hasSizeBetween(2, 6);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0.05,0.05", "2.5,2.5", "20,20", "100,100", "5000,5k", "1000000,1M", "2500,2.5k"})
    void labelsAreShort(double value, String label) {
        assertThat(Axis.label(value)).isEqualTo(label);
    }
}
