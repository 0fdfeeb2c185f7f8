package io.stowline.table.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalsTest {

    private static String written(double value) {
        ByteBuilder out = new ByteBuilder();
        Decimals.write(value, out);
        return out.toString();
    }

    @Property
    @Label("MAP-2: numbers of few digits are written as Java writes them")
    void fewDigits(
            @ForAll @LongRange(min = -999_999_999_999L, max = 999_999_999_999L) long digits,
            @ForAll @IntRange(max = 9) int places) {
        double value = digits / Math.pow(10, places);

        assertThat(written(value)).isEqualTo(Double.toString(value));
    }

    @Property
    @Label("MAP-2: whatever is written stands for the same number")
    void anyNumber(@ForAll long bits) {
        double value = Double.longBitsToDouble(bits);
        if (Double.isFinite(value)) {
            assertThat(Double.valueOf(written(value))).isEqualTo(value);
        }
    }

    @Property
    @Label("MAP-2: numbers of middling size are written as Java writes them")
    void middling(@ForAll double value) {
        double middling = value % 1e7;
        assertThat(written(middling)).isEqualTo(Double.toString(middling));
    }

    @ParameterizedTest
    @DisplayName("MAP-2: whole numbers keep their fraction of zero, and the form changes where Java's does")
    @ValueSource(
            doubles = {
                0,
                -0.0,
                1,
                -1,
                0.1,
                0.3,
                0.1 + 0.2,
                1e-3,
                9.99e-4,
                0.001001,
                1234.5678,
                9_999_999,
                9_999_999.9,
                1e7,
                Math.PI,
                100.0 / 3,
                Double.MIN_VALUE,
                Double.MAX_VALUE
            })
    void examples(double value) {
        assertThat(written(value)).isEqualTo(Double.toString(value));
    }
}
