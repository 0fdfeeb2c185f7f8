package io.stowline.projection.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.internal.edm.KeyRules;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyEscapesTest {

    private static final KeyFormat FORMAT = KeyFormat.of().escaped("name");

    /** Valid text in which everything that is escaped, and its neighbours, is far more frequent than by chance. */
    @Provide
    Arbitrary<String> texts() {
        Arbitrary<Integer> any = Arbitraries.integers().between(0, 0x10FFFF).filter(c -> c < 0xD800 || c > 0xDFFF);
        Arbitrary<Integer> low = Arbitraries.integers().between(0, 0xA1);
        return Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(4, low), net.jqwik.api.Tuple.of(1, any))
                .list()
                .ofMaxSize(8)
                .map(points -> points.stream()
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString());
    }

    @Provide
    Arbitrary<Character> separators() {
        return Arbitraries.of(
                "!$%&'()*+,-:;<=@]^_`{|}".chars().mapToObj(c -> (char) c).toList());
    }

    @Property
    @Label("T17: any text becomes a key and is read back, with every separator")
    void isReversible(@ForAll("separators") char separator, @ForAll("texts") String text) {
        KeyFormat format = KeyFormat.separatedBy(separator).escaped("name");

        String key = format.format(text);

        assertThat(KeyRules.check("key", key).indexOf(separator)).isNegative();
        assertThat(format.parse(key).text("name")).isEqualTo(text);
    }

    @Property
    @Label("T17: escaped texts sort as the texts do, with every separator")
    void keepsTheOrder(
            @ForAll("separators") char separator, @ForAll("texts") String one, @ForAll("texts") String other) {
        KeyFormat format = KeyFormat.separatedBy(separator).escaped("name");

        assertThat(Integer.signum(format.format(one).compareTo(format.format(other))))
                .isEqualTo(Integer.signum(one.compareTo(other)));
    }

    @Property
    @Label("T17: a text is made in one way only: what is read is what would be written")
    void hasOneForm(@ForAll("texts") String key) {
        String read;
        try {
            read = FORMAT.parse(key).text("name");
        } catch (IllegalArgumentException e) {
            return;
        }
        assertThat(FORMAT.format(read)).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "a/b, a.2Fb",
                "1.5, 1.2E5",
                "a b, a\"20b",
                "!\"#, \"21\"22\"23",
                "why?, why>3F",
                "[\\], [5B[5C]",
                "~, ~7E",
                "Zürich, Zürich"
            })
    void escapesByTheNearestLead(String text, String key) {
        assertThat(FORMAT.format(text)).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource({"':', 'a:9', a93A939", "_, 'a^_', 'a^5E^5F'", "@, 'a>@', 'a>3E>40'", "$, 'a$', 'a\"24'"})
    void escapesACustomSeparatorByTheCharacterBelow(char separator, String text, String key) {
        assertThat(KeyFormat.separatedBy(separator).escaped("name").format(text))
                .isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.2f", "a.2", "a.", "a.21", "a\"24", "a b", "a.+F", "a~A0", "a>4", "a.F\u0660", "a.-1"})
    void refusesEscapesThatItDoesNotMake(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FORMAT.parse(key))
                .withMessageContaining("part name at position 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\uD83D", "a\uDE00b"})
    void refusesAnUnpairedSurrogate(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FORMAT.format(text))
                .withMessageContaining("name: ")
                .withMessageContaining("position 1");
    }
}
