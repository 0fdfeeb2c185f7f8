package io.stowline.table.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LongDecimalsTest {

    private static final long MAX_DIGITS = 999_999_999_999_999_999L;

    private static void assertNearest(long digits, int exponent) {
        assertThat(LongDecimals.nearest(digits, exponent))
                .as(digits + "e" + exponent)
                .isEqualTo(Double.parseDouble(digits + "e" + exponent));
    }

    @Property(tries = 20_000)
    @Label("a number is the double that Java reads")
    void nearest(
            @ForAll @LongRange(min = 0, max = MAX_DIGITS) long digits,
            @ForAll @IntRange(min = -LongDecimals.MAX_EXPONENT, max = LongDecimals.MAX_EXPONENT) int exponent) {
        assertNearest(digits, exponent);
        assertNearest(MAX_DIGITS - digits, exponent);
    }

    @Property(tries = 5_000)
    @Label("the middle between two doubles is rounded to the even one, and its neighbours are not")
    void halves(
            @ForAll @LongRange(min = 1L << 52, max = (1L << 53) - 1) long fraction,
            @ForAll @IntRange(min = 0, max = 5) int doublings) {
        long middle = (2 * fraction + 1) << doublings;
        if (middle < MAX_DIGITS) {
            for (long digits = middle - 1; digits <= middle + 1; digits++) {
                assertNearest(digits, 0);
            }
        }
    }

    @Property(tries = 5_000)
    @Label("a middle whose digits end with a power of five or of ten is rounded to the even one")
    void halvesWithExponent(
            @ForAll @LongRange(min = 1, max = 1L << 53) long odd, @ForAll @IntRange(min = -5, max = 24) int exponent) {
        BigDecimal middle =
                new BigDecimal(2 * odd + 1).scaleByPowerOfTen(exponent).stripTrailingZeros();
        BigDecimal half = middle.multiply(BigDecimal.valueOf(0.5)).stripTrailingZeros();
        for (BigDecimal each : new BigDecimal[] {middle, half}) {
            if (each.precision() <= Decimals.MAX_DIGITS && Math.abs(each.scale()) <= LongDecimals.MAX_EXPONENT) {
                assertNearest(each.unscaledValue().longValueExact(), -each.scale());
            }
        }
    }

    @Property(tries = 20_000)
    @Label("the text of a double is read as that double")
    void texts(
            @ForAll @LongRange(min = 0, max = (1L << 52) - 1) long fraction,
            @ForAll @IntRange(min = -60, max = 60) int exponent)
            throws Exception {
        double value = Math.scalb(1 + fraction * 0x1p-52, exponent);
        assertThat(read(Double.toString(value))).isEqualTo(value);
        assertThat(read(Double.toString(-value))).isEqualTo(-value);
    }

    @Test
    @DisplayName("the edges of digits and exponents are read as Java reads them")
    void edges() throws Exception {
        for (String text : new String[] {
            "59.969999999999995",
            "9007199254740993",
            "9007199254740993.0",
            "9007199254740992.99",
            "999999999999999999e27",
            "999999999999999999e28",
            "999999999999999999e-27",
            "1000000000000000001e-28",
            "1e27",
            "1e-27",
            "0e27",
            "-0.000000000000000000",
            "0.00000000000000000000123456789012345678",
            "4503599627370496.5",
            "4503599627370497.5",
            "1125899906842624.125",
            "1125899906842624.375"
        }) {
            assertThat(read(text)).as(text).isEqualTo(Double.parseDouble(text));
        }
    }

    private static double read(String text) throws Exception {
        return new JsonCursor(text.getBytes(StandardCharsets.US_ASCII)).number().floating();
    }
}
