package io.stowline.projection.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterTokenizerTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "age ge 40, 1",
                "age ge 40 and (name lt 'a' or not(x ne 5L)), 3",
                "name eq 'a eq b and c', 1",
                "name eq 'it''s eq', 1",
                "t eq datetime'2024-02-29T12:30:00Z', 1",
                "active, 1",
                "not active, 1",
                "eq_1 eq le2, 1",
                "a eq 1)or(b eq 2, -1"
            })
    @DisplayName("MAP-3: the comparisons of raw text are counted, and what is quoted is none")
    void countsComparisons(String text, int comparisons) {
        if (comparisons < 0) {
            assertThatIllegalArgumentException().isThrownBy(() -> Filter.raw(text));
        } else {
            assertThat(Filter.raw(text).comparisons()).isEqualTo(comparisons);
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "name eq 'a, quote at position 8",
                "name eq 'it''s, quote at position 12",
                "(a eq 1, 1 of its parentheses",
                "((a eq 1) or b eq '))', 1 of its parentheses",
                "a eq 1), parenthesis at position 6",
                "a eq '(') or b eq 1, parenthesis at position 8"
            })
    @DisplayName("MAP-4: raw text whose quotes or parentheses are not closed never reaches the wire")
    void refusesWhatIsUnbalanced(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.raw(text))
                .withMessageContaining(message)
                .withMessageNotContaining("it's");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "a eq '\uD83D'"})
    void refusesWhatIsNoText(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Filter.raw(text)).withMessageStartingWith("raw filter: ");
    }

    @Test
    @DisplayName("MAP-3: raw comparisons count toward the fifteen")
    void countsTowardTheLimit() {
        Filter fourteen = Filter.raw("a eq 1" + " or a eq 1".repeat(13));

        assertThat(fourteen.and(Filter.property("b").equalTo(1)).toOData())
                .startsWith("(a eq 1 or a eq 1")
                .endsWith(") and b eq 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fourteen.and(Filter.property("b").in(1, 2)).toOData())
                .withMessageContaining("16");
    }

    @Test
    void standsInParenthesesBesideOthers() {
        Filter raw = Filter.raw("a eq 1 or b eq 2");

        assertThat(raw.toOData()).isEqualTo("a eq 1 or b eq 2");
        assertThat(raw.not().toOData()).isEqualTo("not (a eq 1 or b eq 2)");
        assertThat(Filter.rowKey().equalTo("x").and(raw).toOData()).isEqualTo("RowKey eq 'x' and (a eq 1 or b eq 2)");
    }

    @Test
    void saysNothingOfKeys() {
        Filter raw = Filter.raw("PartitionKey eq 'a'");

        assertThat(raw.fixes("PartitionKey")).isFalse();
        assertThat(raw.bounds("PartitionKey")).isFalse();
    }
}
