package io.stowline.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
        assertThat(QueueNames.check(name)).isEqualTo(name);
        assertThat(QueueNames.check(name.repeat(21).substring(0, 61) + "x9")).hasSize(63);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "Abc", "a_b", "a--b", "-ab", "ab-", "a.b", "abc\n", "äbc", "a/b"})
    void otherNames(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueNames.check(name))
                .withMessage("queue name '" + name + "' must be 3 to 63 lower-case letters, digits and single dashes"
                        + " between them (" + name.length() + " characters given)");
    }

    @Test
    void namesHaveAnEnd() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueNames.check("a".repeat(64)))
                .withMessageContaining("(64 characters given)");
    }

    @Test
    void allowedMetadata() {
        Map<String, String> metadata = Map.of("Team", "blue and green", "_x9", "!~", "a", "b".repeat(8_000));

        assertThat(QueueMetadata.check(metadata)).isEqualTo(metadata);
        assertThat(QueueMetadata.check(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "9a", "a-b", "a b", "ä", "a\r\nHost"})
    void otherNamesOfMetadata(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueMetadata.check(Map.of(name, "x")))
                .withMessageStartingWith("metadata name '" + name + "' must be a C# identifier");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " a", "a ", "é", "a\r\nb", "\t"})
    void otherValuesOfMetadata(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueMetadata.check(Map.of("team", value)))
                .withMessageStartingWith("the value of metadata 'team' (" + value.length() + " characters) must be");
    }

    @Test
    void metadataNamesDifferByMoreThanCase() {
        Map<String, String> twice = new LinkedHashMap<>();
        twice.put("team", "a");
        twice.put("Team", "b");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueMetadata.check(twice))
                .withMessageStartingWith("metadata name 'Team' is there twice");
    }

    @Test
    void metadataHasALimit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueMetadata.check(Map.of("a", "b".repeat(8_192))))
                .withMessage("the metadata has 8193 bytes in names and values; the limit is 8192");
    }

    @Test
    @DisplayName("OUTCOME-5: the name of the mark is not to be had, in whatever case")
    void reservesTheNameOfTheMark() {
        for (String name : new String[] {"stowlinewrite", "StowlineWrite"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> QueueMetadata.check(Map.of(name, "x")))
                    .withMessageContaining("'" + name + "' is reserved");
        }
    }
}
