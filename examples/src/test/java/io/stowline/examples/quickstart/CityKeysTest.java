package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.internal.edm.KeyRules;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CityKeysTest {

    @ParameterizedTest
    @CsvSource({
        "Biel/Bienne, Biel!2FBienne",
        "a\\b, a!5Cb",
        "#1, !231",
        "what?, what!3F",
        "Westward Ho!, Westward Ho!21",
        "a|b, a!7Cb",
        "São Paulo, São Paulo",
        "東京 😀, 東京 😀"
    })
    void escapesWhatMayNotStandInAKey(String part, String escaped) {
        assertThat(CityKeys.escape(part)).isEqualTo(escaped);
    }

    @Test
    void escapesControlCharactersOfBothRanges() {
        assertThat(CityKeys.escape("\0\t\u001F \u007F\u0080\u009F\u00A0")).isEqualTo("!00!09!1F !7F!80!9F\u00A0");
    }

    @Test
    void joinsPartsByTheSeparator() {
        assertThat(CityKeys.join("Tokyo", "35.6895", "139.69171")).isEqualTo("Tokyo|35.6895|139.69171");
        assertThat(CityKeys.join("")).isEmpty();
        assertThat(CityKeys.split("Tokyo|35.6895|139.69171")).containsExactly("Tokyo", "35.6895", "139.69171");
    }

    @Property
    @Label("MAP-3: every text becomes a key that the service takes")
    void makesKeysThatAreAllowed(@ForAll("parts") List<String> parts) {
        String key = CityKeys.join(parts.toArray(String[]::new));

        assertThat(KeyRules.check("row key", key)).isSameAs(key);
    }

    @Property
    void givesThePartsBack(@ForAll("parts") List<String> parts) {
        assertThat(CityKeys.split(CityKeys.join(parts.toArray(String[]::new)))).isEqualTo(parts);
    }

    @Property
    void givesDifferentPartsDifferentKeys(@ForAll("parts") List<String> one, @ForAll("parts") List<String> other) {
        Assume.that(!one.equals(other));

        assertThat(CityKeys.join(one.toArray(String[]::new))).isNotEqualTo(CityKeys.join(other.toArray(String[]::new)));
    }

    @Property
    void escapesABeginningToTheBeginning(@ForAll("part") String beginning, @ForAll("part") String end) {
        assertThat(CityKeys.join(beginning + end, "1")).startsWith(CityKeys.escape(beginning));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a!", "a!2", "!2G", "!-1", "a!2|F"})
    void refusesAnEscapeWithoutTwoDigits(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CityKeys.split(key))
                .withMessageContaining("position " + key.indexOf('!'));
    }

    @Provide
    Arbitrary<String> part() {
        // Much of what needs escaping, and little enough in all that parts often resemble one another.
        return Arbitraries.of(
                        "a", "A", "2", "F", "!", "|", "/", "\\", "#", "?", "\0", "\u007F", "\u0085", "é", "東", "😀",
                        " ")
                .list()
                .ofMaxSize(6)
                .map(characters -> String.join("", characters));
    }

    @Provide
    Arbitrary<List<String>> parts() {
        return part().list().ofMinSize(1).ofMaxSize(4);
    }
}
