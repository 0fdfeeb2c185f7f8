package io.stowline.projection.internal.edm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRulesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2011 New York City Marathon__Full",
                "Zürich",
                "it's",
                "100%",
                "a+b&c=d;,:@$!*()",
                "..",
                "😀",
                "\u00A0",
                "\uFFFE",
                "\"quoted\""
            })
    void passesWhatTheServiceTakes(String key) {
        assertThat(KeyRules.check("row key", key)).isSameAs(key);
    }

    @Test
    @DisplayName("MAP-3 T17: a key of up to 1,024 characters is left to the service, a longer one is refused")
    void refusesAKeyThatIsTooLong() {
        String longest = "é".repeat(1_024);

        assertThat(KeyRules.check("row key", longest)).isSameAs(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRules.check("partition key", longest + "é"))
                .withMessageContaining("partition key")
                .withMessageContaining("1025")
                .withMessageContaining("1024");
    }

    @Test
    @DisplayName("MAP-3 T20: a character beyond the basic plane counts as two")
    void countsUtf16Characters() {
        assertThat(KeyRules.check("row key", "😀".repeat(512))).hasSize(1_024);
        assertThatIllegalArgumentException().isThrownBy(() -> KeyRules.check("row key", "😀".repeat(513)));
    }

    @ParameterizedTest
    @ValueSource(chars = {'/', '\\', '#', '?', '\0', '\t', '\n', '\u001F', '\u007F', '\u0085', '\u009F'})
    @DisplayName("MAP-3 T20: a forbidden character is refused with its position and code point")
    void refusesAForbiddenCharacter(char forbidden) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRules.check("row key", "secret" + forbidden))
                .withMessageStartingWith("row key: ")
                .withMessageContaining("position 6")
                .withMessageContaining(String.format(Locale.ROOT, "U+%04X", (int) forbidden))
                .withMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab\uD83D", "ab\uDE00", "ab\uDE00\uD83D", "ab\uD83D\uD83D\uDE00", "ab\uD83Dx"})
    @DisplayName("MAP-3: a surrogate without its partner is refused, it has no UTF-8 form")
    void refusesAnUnpairedSurrogate(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRules.check("row key", key))
                .withMessageContaining("position 2")
                .withMessageContaining("surrogate");
    }

    @Property
    @Label("MAP-3 T20: exactly the stated characters are refused")
    void refusesExactlyTheStatedCharacters(@ForAll @StringLength(max = 20) String key) {
        boolean valid = key.chars().noneMatch(c -> "/\\#?".indexOf(c) >= 0 || Character.isISOControl(c))
                && java.nio.charset.StandardCharsets.UTF_8.newEncoder().canEncode(key);

        if (valid) {
            assertThat(KeyRules.check("row key", key)).isSameAs(key);
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> KeyRules.check("row key", key));
        }
    }
}
