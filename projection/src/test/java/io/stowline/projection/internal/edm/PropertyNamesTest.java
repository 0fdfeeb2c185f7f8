package io.stowline.projection.internal.edm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PropertyNamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "Age",
                "_",
                "_1",
                "a1",
                "größe",
                "имя",
                "名前",
                "e\u0301",
                "odata",
                "partitionKey",
                "timestamp"
            })
    void passesIdentifiers(String name) {
        assertThat(PropertyNames.check(name)).isSameAs(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a-b", "a b", "a.b", "a$", "a'b", "a eq 1 or b", "a/b", "a:b", "a\u00B5", "a😀", "a\u200D", "a\t"
            })
    @DisplayName("MAP-3 MAP-4: a name that is no identifier is refused with position and code point")
    void refusesOtherCharacters(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyNames.check(name))
                .withMessageContaining("position 1")
                .withMessageContaining("U+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1a", "\u0301a", "-a", " a"})
    void refusesABeginningThatIsNoLetter(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyNames.check(name))
                .withMessageContaining("position 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PartitionKey", "RowKey", "Timestamp", "odata.etag", "odata."})
    @DisplayName("MAP-3: the service's own names are refused")
    void refusesReservedNames(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyNames.check(name))
                .withMessageContaining(name)
                .withMessageContaining("reserved");
    }

    @Test
    @DisplayName("MAP-3 T20: a name has 1 to 255 characters")
    void refusesWrongLengths() {
        assertThat(PropertyNames.check("a".repeat(255))).hasSize(255);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyNames.check("a".repeat(256)))
                .withMessageContaining("256")
                .withMessageContaining("255");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyNames.check(""))
                .withMessageContaining("empty");
    }

    /** NameStartChar of XML 1.0, fifth edition, within the basic plane and without the colon. */
    private static boolean beginsAnXmlName(int c) {
        int[] ranges = {
            'A', 'Z', '_', '_', 'a', 'z', 0xC0, 0xD6, 0xD8, 0xF6, 0xF8, 0x2FF, 0x370, 0x37D, 0x37F, 0x1FFF, 0x200C,
            0x200D, 0x2070, 0x218F, 0x2C00, 0x2FEF, 0x3001, 0xD7FF, 0xF900, 0xFDCF, 0xFDF0, 0xFFFD
        };
        return IntStream.range(0, ranges.length / 2).anyMatch(i -> c >= ranges[2 * i] && c <= ranges[2 * i + 1]);
    }

    private static boolean passes(String name) {
        try {
            PropertyNames.check(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    @DisplayName("MAP-3: every first character that passes begins an identifier and an XML name")
    void passesOnlyXmlNames() {
        List<Integer> wrong = IntStream.rangeClosed(0, 0xFFFF)
                .filter(c -> passes(Character.toString(c)))
                .filter(c -> !beginsAnXmlName(c) || (!Character.isUnicodeIdentifierStart(c) && c != '_'))
                .boxed()
                .toList();

        assertThat(wrong).isEmpty();
    }

    @Test
    @DisplayName("MAP-4: no character that means something in a filter or a URL passes")
    void passesNothingThatNeedsEscaping() {
        String special = " '\"()/\\?:@&=+,$#%<>;*!|[]{}^`~.-\t\r\n\0";

        assertThat(special.chars().filter(c -> passes("a" + (char) c))).isEmpty();
    }
}
