package io.stowline.spring.boot.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.projection.key.KeyFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The ranges of operators over the rows of an index, whose keys have the escaped value and then the key of the entity. */
class KeyOperatorTest {

    private static final KeyFormat VALUE = KeyFormat.of().escaped("value");
    private static final String[] UNITS = {
        "a", "b", "!", " ", "~", "\0", "\u0001", ".", "/", "\uD7FF", "\uE000", "\uFFFF", "\uD83D\uDE00", "\uDBFF\uDFFF"
    };

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "EQUAL")
    void aRangeHoldsTheRowsOfItsValues(KeyOperator operator) {
        Random random = new Random(48);
        for (int i = 0; i < 20_000; i++) {
            String value = drawn(random);
            String first = drawn(random);
            String last = operator == KeyOperator.BETWEEN ? drawn(random) : first;
            boolean matches =
                    switch (operator) {
                        case STARTING_WITH -> value.startsWith(first);
                        case BETWEEN -> value.compareTo(first) >= 0 && value.compareTo(last) <= 0;
                        case GREATER -> value.compareTo(first) > 0;
                        case AT_LEAST -> value.compareTo(first) >= 0;
                        case LESS -> value.compareTo(first) < 0;
                        default -> value.compareTo(first) <= 0;
                    };
            String from = operator.from(first);
            String below = operator.below(first, last);

            for (String row : new String[] {VALUE.format(value), VALUE.format(value) + "!row"}) {
                assertThat((from == null || row.compareTo(VALUE.format(from)) >= 0)
                                && (below == null || row.compareTo(VALUE.format(below)) < 0))
                        .as("%s of '%s' from '%s' to '%s'", operator, value, first, last)
                        .isEqualTo(matches);
            }
        }
    }

    private static String drawn(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(UNITS[random.nextInt(UNITS.length)]);
        }
        return text.toString();
    }

    @Test
    void keywordsAreThoseOfSpringData() {
        assertThat(KeyOperator.of("GreaterThanEqual")).isEqualTo(KeyOperator.AT_LEAST);
        assertThat(KeyOperator.of("Before")).isEqualTo(KeyOperator.LESS);
        assertThat(KeyOperator.of("Like")).isNull();
    }
}
