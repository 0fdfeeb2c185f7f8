package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.transport.internal.outcome.MetadataRules;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.request.HeaderValues;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
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
    @Label("MAP-3: metadata is bounded by 8 KiB in names and values")
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
    @DisplayName("OUTCOME-5: the name of the mark is not to be had, in whatever case")
    void reservesTheNameOfTheMark() {
        for (String name : new String[] {"stowlinewrite", "StowlineWrite"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> MetadataRules.check(Map.of(name, "x")))
                    .withMessageContaining("'" + name + "' is reserved");
        }
    }

    @Test
    @DisplayName("OUTCOME-8, MAP-3: metadata without room for a mark go without it")
    void leavesRoomForTheMark() {
        assertThat(MetadataRules.markBeside(Map.of("n", "v".repeat(8_142)))).hasSize(36);
        Map<String, String> more = Map.of("n", "v".repeat(8_143));

        assertThat(MetadataRules.markBeside(more)).isNull();
        assertThat(MetadataRules.check(more)).isEqualTo(more);
        assertThat(MetadataRules.markBeside(Map.of("n", "v".repeat(8_191)))).isNull();
    }

    @Test
    @DisplayName("OUTCOME-5: a mark is found in metadata and taken out of it, in whatever case")
    void findsTheMark() {
        Map<String, String> marked = WriteIdMetadata.in(Map.of("owner", "me"), "7");

        assertThat(WriteIdMetadata.of(marked)).isEqualTo("7");
        assertThat(WriteIdMetadata.of(Map.of("StowlineWrite", "8"))).isEqualTo("8");
        assertThat(WriteIdMetadata.of(Map.of("owner", "me"))).isNull();
        assertThat(WriteIdMetadata.of(null)).isNull();
        assertThat(WriteIdMetadata.hiddenIn(marked)).isEqualTo(Map.of("owner", "me"));
        assertThat(WriteIdMetadata.hiddenIn(null)).isEmpty();
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
