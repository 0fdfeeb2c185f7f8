package io.stowline.transport.internal.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityTagsTest {

    @ParameterizedTest
    @DisplayName("OUTCOME-2: ETags are compared by the version that they name, not by their spelling")
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "\"0x8D\", \"0x8D\", true",
                "\"0x8D\", 0x8D, true",
                "\"0x8D\", W/\"0x8d\", true",
                "W/\"datetime'2024-02-29T12%3A00%3A00Z'\", W/\"datetime'2024-02-29T12:00:00Z'\", true",
                "\"0x8D\", \"0x8E\", false",
                "\"0x8D\", *, false",
                "\", \"\", false",
                "\"a%2\", \"a%2\", true"
            })
    void same(String one, String other, boolean same) {
        assertThat(EntityTags.same(one, other)).isEqualTo(same);
        assertThat(EntityTags.same(other, one)).isEqualTo(same);
        assertThat(EntityTags.same(one, null)).isFalse();
    }
}
