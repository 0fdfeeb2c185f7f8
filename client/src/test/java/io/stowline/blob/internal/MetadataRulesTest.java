package io.stowline.blob.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataRulesTest {

    @Test
    void takesACopy() {
        Map<String, String> given = new HashMap<>(Map.of("owner", "me", "_x1", "a b; c=\"d\""));
        Map<String, String> taken = MetadataRules.check(given);
        given.clear();

        assertThat(taken).containsOnly(Map.entry("owner", "me"), Map.entry("_x1", "a b; c=\"d\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a-b", "a b", "a.b", "größe"})
    void refusesNamesThatAreNoIdentifiers(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MetadataRules.check(Map.of(name, "x")))
                .withMessageContaining("'" + name + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " x", "x ", "a\nb", "größe", "\u007f"})
    void refusesValuesThatWouldChangeOnTheWay(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MetadataRules.check(Map.of("owner", value)))
                .withMessageContaining("'owner'");
    }

    @Test
    void refusesNamesThatTheServiceDoesNotTellApart() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MetadataRules.check(Map.of("owner", "a", "Owner", "b")))
                .withMessageContaining("twice");
    }

    @Property(tries = 100)
    @Label("M3: metadata is bounded by 8 KiB in names and values")
    void boundsTheSize(
            @ForAll @IntRange(min = 1, max = 100) int name, @ForAll @IntRange(min = 8_000, max = 8_300) int value) {
        Map<String, String> metadata = Map.of("n".repeat(name), "v".repeat(value));
        if (name + value <= 8_192) {
            assertThat(MetadataRules.check(metadata)).isEqualTo(metadata);
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> MetadataRules.check(metadata))
                    .withMessageContaining(name + value + " bytes")
                    .withMessageContaining("limit of 8192");
        }
    }

    @Test
    void quotesWhatListingsGiveWithoutQuotes() {
        assertThat(HeaderValues.etag("0x8D")).isEqualTo("\"0x8D\"");
        assertThat(HeaderValues.etag("\"0x8D\"")).isEqualTo("\"0x8D\"");
        assertThat(HeaderValues.etag("*")).isEqualTo("*");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HeaderValues.etag(""))
                .withMessageContaining("empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HeaderValues.etag("a\r\nb"))
                .withMessageContaining("U+000D at 1");
    }
}
