package io.stowline.blob.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tags that the service takes. */
class TagRulesTest {

    private static Map<String, String> tags(int number) {
        return IntStream.range(0, number).boxed().collect(Collectors.toMap(i -> "tag" + i, i -> ""));
    }

    @Test
    void countsTags() {
        assertThat(TagRules.check(tags(10))).hasSize(10);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TagRules.check(tags(11)))
                .withMessage("a blob has at most 10 tags, not 11");
    }

    @Test
    void boundsNamesAndValues() {
        assertThat(TagRules.check(Map.of("n".repeat(128), "v".repeat(256)))).hasSize(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TagRules.check(Map.of("n".repeat(129), "")))
                .withMessageContaining("1 to 128 characters")
                .withMessageContaining("has 129");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TagRules.check(Map.of("", "v")))
                .withMessageContaining("has 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TagRules.check(Map.of("n", "v".repeat(257))))
                .withMessageContaining("at most 256 characters")
                .withMessageContaining("'n' has 257");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'", "\"", "\u00E9", "\n", "a,b", "a&b", "50%"})
    void refusesOtherCharacters(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TagRules.check(Map.of("n", text)))
                .withMessageContaining("the value of the tag 'n' has the character U+");
        assertThatIllegalArgumentException().isThrownBy(() -> TagRules.name("n" + text));
    }

    @Test
    void encodesTagsForAHeader() {
        Map<String, String> tags = TagRules.check(Map.of("b c", "x=y+z", "a", "1/2:3"));
        assertThat(TagRules.header(tags)).isEqualTo("a=1%2F2%3A3&b%20c=x%3Dy%2Bz");
    }
}
