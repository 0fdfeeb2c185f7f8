package io.stowline.projection.internal.edm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodePointsTest {

    /** Units in any order, so that surrogates meet partners, strangers and the end. */
    @Provide
    Arbitrary<String> units() {
        return Arbitraries.of('a', '\uD7FF', '\uD800', '\uDBFF', '\uDC00', '\uDFFF', '\uE000')
                .list()
                .ofMaxSize(6)
                .map(units -> {
                    StringBuilder text = new StringBuilder();
                    units.forEach(text::append);
                    return text.toString();
                });
    }

    @Property
    void findsAnUnpairedSurrogateExactlyWhereThereIsNoUtf8(@ForAll("units") String text) {
        int first = CodePoints.firstUnpaired(text);

        assertThat(first < 0).isEqualTo(UTF_8.newEncoder().canEncode(text));
        if (first >= 0) {
            assertThat(UTF_8.newEncoder().canEncode(text.substring(0, first))).isTrue();
            assertThat(Character.isSurrogate(text.charAt(first))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "é", "😀", "a😀b", "\uFFFF"})
    void findsNothingInValidText(String text) {
        assertThat(CodePoints.firstUnpaired(text)).isEqualTo(-1);
    }

    @Test
    void namesACodePoint() {
        assertThat(CodePoints.name("a/b", 1)).isEqualTo("U+002F");
        assertThat(CodePoints.name("\0", 0)).isEqualTo("U+0000");
        assertThat(CodePoints.name("x😀", 1)).isEqualTo("U+1F600");
        assertThat(CodePoints.name("\uD83D", 0)).isEqualTo("U+D83D");
    }

    @Test
    void shortensLongText() {
        assertThat(Abbreviation.quoted("")).isEqualTo("\"\"");
        assertThat(Abbreviation.quoted("x".repeat(40))).isEqualTo("\"" + "x".repeat(40) + "\"");
        assertThat(Abbreviation.quoted("x".repeat(41))).isEqualTo("\"" + "x".repeat(40) + "…\" (41 characters)");
    }
}
