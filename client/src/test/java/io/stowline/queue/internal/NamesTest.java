package io.stowline.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.outcome.MetadataRules;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"abc", "0a0", "a-b-c", "orders-poison", "123"})
    void allowedNames(String name) {
        assertThat(NameRules.queue(name)).isEqualTo(name);
        assertThat(NameRules.queue(name.repeat(21).substring(0, 61) + "x9")).hasSize(63);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "Abc", "a_b", "a--b", "-ab", "ab-", "a.b", "abc\n", "ab\u001b[31m", "äbc", "a/b"})
    void otherNames(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameRules.queue(name))
                .withMessage("queue name '" + name.replace("\n", "\\n").replace("\u001b", "\\u001B")
                        + "' must be 3 to 63 lower-case letters, digits and single hyphens" + " between them ("
                        + name.length() + " characters given)");
    }

    @Test
    void namesHaveAnEnd() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameRules.queue("a".repeat(64)))
                .withMessageContaining("(64 characters given)");
    }

    @Test
    void allowedMetadata() {
        Map<String, String> metadata = Map.of("Team", "blue and green", "_x9", "!~", "a", "b".repeat(8_000));

        assertThat(MetadataRules.check(metadata)).isEqualTo(metadata);
        assertThat(MetadataRules.check(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "9a", "a-b", "a b", "ä", "a\r\nHost"})
    void otherNamesOfMetadata(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MetadataRules.check(Map.of(name, "x")))
                .withMessageStartingWith("the metadata name '"
                        + name.replace("\r", "\\r").replace("\n", "\\n") + "' must be an identifier");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " a", "a ", "é", "a\r\nb", "\t"})
    void otherValuesOfMetadata(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MetadataRules.check(Map.of("team", value)))
                .withMessageStartingWith("the metadata value of 'team' ");
    }

    @Test
    void metadataNamesDifferByMoreThanCase() {
        Map<String, String> twice = new LinkedHashMap<>();
        twice.put("team", "a");
        twice.put("Team", "b");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> MetadataRules.check(twice))
                .withMessageStartingWith("the metadata name 'Team' is there twice");
    }

    @Test
    void metadataHasALimit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MetadataRules.check(Map.of("a", "b".repeat(8_192))))
                .withMessage("the metadata has 8193 bytes in names and values, more than the limit of 8192");
    }

    @Test
    @DisplayName("OUTCOME-5: the name of the mark is not to be had, in whatever case")
    void reservesTheNameOfTheMark() {
        for (String name : new String[] {"stowlinewrite", "StowlineWrite"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> MetadataRules.check(Map.of(name, "x")))
                    .withMessageContaining("'" + name + "' is reserved");
        }
    }
}
