package io.stowline.table.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonNumberTest {

    private static JsonNumber number(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        JsonNumber number = new JsonNumber(bytes);
        assertThat(number.read(0)).isEqualTo(bytes.length);
        assertThat(number.text()).isEqualTo(text);
        return number;
    }

    @ParameterizedTest
    @DisplayName("MAP-2: a number is whole when nothing of it is lost in a long")
    @CsvSource({
        "0, true",
        "-1, true",
        "123456789012345678, true",
        "-12345678901234567, true",
        "1234567890123456789, true",
        "-9223372036854775808, true",
        "9223372036854775807, true",
        "9223372036854775808, false",
        "-9223372036854775809, false",
        "9999999999999999999, false",
        "10000000000000000000, false",
        "18446744073709551617, false",
        "1.0, false",
        "1e3, false",
        "1E3, false"
    })
    void wholeNumbers(String text, boolean complete) throws IOException {
        assertThat(number(text).isIntegral()).isEqualTo(complete);
    }

    @Property
    @Label("MAP-2: whole numbers have the value that Java reads")
    void integers(@ForAll long value) throws IOException {
        JsonNumber number = number(Long.toString(value));

        assertThat(number.floating()).isEqualTo(Double.parseDouble(Long.toString(value)));
        assertThat(number.isIntegral()).isTrue();
        assertThat(number.integer()).isEqualTo(value);
    }

    @Property
    @Label("MAP-2: every double is read as Java reads it, however it is written")
    void doubles(@ForAll long bits, @ForAll @IntRange(max = 25) int places) throws IOException {
        double value = Double.longBitsToDouble(bits);
        if (Double.isFinite(value)) {
            assertThat(number(Double.toString(value)).floating()).isEqualTo(value);
            String plain = new BigDecimal(value % 1e9)
                    .setScale(places, java.math.RoundingMode.DOWN)
                    .toPlainString();
            assertThat(number(plain).floating()).isEqualTo(Double.parseDouble(plain));
        }
    }

    @Property
    @Label("MAP-2: decimal numbers of any size are read as Java reads them")
    void decimals(@ForAll @Scale(12) BigDecimal value, @ForAll @IntRange(min = -330, max = 330) int exponent)
            throws IOException {
        String text = value.toPlainString() + "e" + exponent;

        double expected = Double.parseDouble(text);
        JsonNumber number = number(text);

        if (Double.isInfinite(expected)) {
            assertThatThrownBy(number::floating).isInstanceOf(IOException.class);
        } else {
            assertThat(number.floating()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @DisplayName("MAP-2: a number beyond the range of a double is refused, and never becomes infinite")
    @ValueSource(strings = {"1e400", "-1e400", "1e99999999999"})
    void beyondTheRange(String text) throws IOException {
        JsonNumber number = number(text);

        assertThatThrownBy(number::floating).isInstanceOf(IOException.class).hasMessageContaining("beyond the range");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-0",
                "-0.0",
                "0e0",
                "0.000000000000000000000000000001",
                "1e22",
                "1e23",
                "123456789012345e22",
                "999999999999999e-22",
                "1234567890123456e-22",
                "9007199254740993",
                "9007199254740993.0",
                "1E+2",
                "1e-400",
                "0.1",
                "2.2250738585072011e-308"
            })
    @DisplayName("MAP-2: the edges of what is exact")
    void edges(String text) throws IOException {
        assertThat(Double.valueOf(number(text).floating())).isEqualTo(Double.valueOf(text));
    }

    @ParameterizedTest
    @CsvSource({"12], 2", "-1.5e3}, 6", "0  , 1", "7\"x, 1", "1e5e, 3"})
    void endsWithItsLastDigit(String text, int end) throws IOException {
        assertThat(new JsonNumber(text.getBytes(StandardCharsets.US_ASCII)).read(0))
                .isEqualTo(end);
    }
}
